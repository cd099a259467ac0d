import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { after, describe, it } from "node:test";
import { openLookup } from "./lookup.ts";

const HEADER_BYTES = 12;
const TYPE_A = 1;

/** A name server: silent for `.silent`, 192.0.2.7 for `.good`, and not found for any other name. */
async function openNameServer() {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += 1 + length;
    }
    const last = labels.at(-1);
    if (last === "silent") return;
    const question = query.subarray(HEADER_BYTES, at + 5);
    const isFound = last === "good" && query.readUInt16BE(at + 1) === TYPE_A;
    const code = last === "good" ? 0 : 3;
    const head = Buffer.alloc(HEADER_BYTES);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(isFound ? 1 : 0, 6);
    const record = Buffer.from("c00c00010001000000000004c0000207", "hex");
    socket.send(Buffer.concat([head, question, ...(isFound ? [record] : [])]), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { server: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

describe("lookup by the service itself", async () => {
  const names = await openNameServer();
  after(() => names.close());

  it("resolves names while forty others with silent servers time out", async () => {
    const lookup = openLookup({ servers: [names.server] });
    const ended: string[] = [];
    const ask = (name: string) =>
      new Promise<unknown>((resolve) => {
        lookup(name, (error, addresses) => {
          ended.push(name);
          resolve(error ?? addresses);
        });
      });
    const silent = Array.from({ length: 40 }, (_, n) => ask(`n${n}.silent`));
    const good = ask("shop.good");
    assert.deepEqual(await good, [{ address: "192.0.2.7", family: 4 }]);
    assert.deepEqual(ended, ["shop.good"], "while all the others wait");
    for (const error of await Promise.all(silent)) {
      assert.ok(error instanceof Error && "code" in error);
      assert.equal(error.code, "EAI_AGAIN");
    }
  });

  it("queries the system for names unknown to DNS, one at a time", async () => {
    const answers: (() => void)[] = [];
    const local = [{ address: "192.0.2.9", family: 4 }];
    const lookup = openLookup({
      servers: [names.server],
      system: (_hostname, answer) => void answers.push(() => answer(null, local)),
    });
    const ask = (name: string) =>
      new Promise<unknown>((resolve) => {
        lookup(name, (error, addresses) => resolve(error ?? addresses));
      });
    const both = [ask("one.hosts"), ask("two.hosts")];
    // Both have got their answer from DNS before this one.
    assert.deepEqual(await ask("shop.good"), [{ address: "192.0.2.7", family: 4 }]);
    for (const all of both) {
      while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(answers.length, 1);
      answers.shift()?.();
      assert.deepEqual(await all, local);
    }
  });
});
