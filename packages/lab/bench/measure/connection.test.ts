import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, type Socket, createServer } from "node:net";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { openConnection } from "./connection.ts";

/** Sends requests one after another to a server that responds with these pieces; returns the outcomes. */
async function sendTo(
  answers: readonly (readonly string[])[],
): Promise<{ status: number; text: string }[]> {
  const server = createServer((socket) => {
    // The client may close connections at any time.
    answerAll(socket, answers).catch(() => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection = await openConnection(new URL(`http://127.0.0.1:${port}`));
  const outcomes: { status: number; text: string }[] = [];
  for (const _ of answers)
    await new Promise<void>((resolve) => {
      connection.send("GET / HTTP/1.1\r\n\r\n", ({ status, text }) => {
        outcomes.push({ status, text: text() });
        resolve();
      });
    });
  connection[Symbol.dispose]();
  server.close();
  return outcomes;
}

async function answerAll(socket: Socket, answers: readonly (readonly string[])[]): Promise<void> {
  let answered = 0;
  // Every request arrives as one chunk.
  for await (const _ of socket) {
    const pieces = answers[answered++] ?? [];
    if (pieces.length === 0) socket.end();
    for (const piece of pieces) {
      socket.write(piece);
      await turn();
      await turn();
    }
  }
}

const plain = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello";
const chunked =
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\n\n\r\n0\r\n\r\n";

test("reads consecutive responses with a length on one connection", async () => {
  const read = await sendTo([[plain], [plain]]);
  assert.deepEqual(read, [
    { status: 201, text: plain },
    { status: 201, text: plain },
  ]);
});

test("waits for the rest of a response, at any split", async () => {
  for (const whole of [plain, chunked])
    for (let cut = 1; cut < whole.length; cut += 7) {
      const read = await sendTo([[whole.slice(0, cut), whole.slice(cut)], [plain]]);
      assert.deepEqual(
        read.map(({ text }) => text),
        [whole, plain],
      );
    }
});

test("completes a response without a body after its head", async () => {
  const none = "HTTP/1.1 204 No Content\r\n\r\n";
  assert.deepEqual(
    (await sendTo([[none], [plain]])).map(({ status }) => status),
    [204, 201],
  );
});

test("returns status 0 when the connection ends before a response, and for an invalid response", async () => {
  for (const pieces of [[], ["HTTP/1.1 200 OK\r\n\r\nendless"]])
    assert.deepEqual(
      (await sendTo([pieces, [plain]])).map(({ status }) => status),
      [0, 0],
    );
});
