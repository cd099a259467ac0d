import assert from "node:assert/strict";
import { once } from "node:events";
import { type RequestListener, createServer } from "node:http";
import { type Server, type Socket, connect, createServer as createTcpServer } from "node:net";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Network, toNetwork } from "./networks.ts";
import { PostError, type PostTimes, openPoster } from "./post.ts";

const allowed = ["127.0.0.0/8"].map(toNetwork).filter((n): n is Network => n !== undefined);
/** Long, so that only the tested timeout expires. */
const long: PostTimes = { connectMs: 60_000, headersMs: 60_000, allMs: 60_000 };
const post = { headers: {}, body: "{}", signal: new AbortController().signal };

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  return address.port;
}

/** Posts to a server with this listener and these timeouts. */
async function postTo(listener: RequestListener, times: Partial<PostTimes> = {}) {
  const server = createServer(listener);
  const port = await listen(server);
  using poster = openPoster({ allowed, times: { ...long, ...times } });
  try {
    return await poster.post(new URL(`http://127.0.0.1:${port}/`), post);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const saying = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PostError, String(error));
  assert.match(error.message, message);
  return true;
};

/** A port with a full backlog whose process accepts no connections. */
async function openFullPort(): Promise<{ port: number } & AsyncDisposable> {
  const code = `
    const { parentPort } = require("node:worker_threads");
    const server = require("node:net").createServer();
    server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const worker = new Worker(code, { eval: true });
  const [port] = (await once(worker, "message")) as [number];
  const waiting: Socket[] = Array.from({ length: 8 }, () =>
    connect(port, "127.0.0.1").on("error", () => undefined),
  );
  await once(waiting[0] as Socket, "connect");
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}

describe("timeouts of a post", () => {
  it("fails without a connection", async () => {
    await using full = await openFullPort();
    using poster = openPoster({ allowed, times: { ...long, connectMs: 150 } });
    const url = new URL(`http://127.0.0.1:${full.port}/`);
    await assert.rejects(poster.post(url, post), saying(/^did not connect within 0\.15 s$/));
  });

  it("fails when TLS is not established", async () => {
    const server = createTcpServer((socket) => void socket.on("error", () => undefined));
    const port = await listen(server);
    using poster = openPoster({ allowed, times: { ...long, connectMs: 150 } });
    try {
      const url = new URL(`https://127.0.0.1:${port}/`);
      await assert.rejects(poster.post(url, post), saying(/^did not connect within 0\.15 s$/));
    } finally {
      server.close();
    }
  });

  it("fails without response headers", async () => {
    let requests = 0;
    const silent = () => void (requests += 1);
    await assert.rejects(
      postTo(silent, { headersMs: 150 }),
      saying(/^did not respond within 0\.15 s$/),
    );
    assert.equal(requests, 1, "it was asked once");
  });

  it("fails when a response does not end, even if it keeps sending", async () => {
    const dripping: RequestListener = (_req, res) => {
      res.writeHead(200);
      const drip = async (): Promise<void> => {
        while (!res.destroyed) {
          res.write("x");
          await delay(10);
        }
      };
      void drip();
    };
    await assert.rejects(
      postTo(dripping, { allMs: 150 }),
      saying(/^did not complete its response within 0\.15 s$/),
    );
  });

  it("fails at shutdown", async () => {
    const stopping = new AbortController();
    const server = createServer(() => stopping.abort());
    const port = await listen(server);
    using poster = openPoster({ allowed, times: long });
    try {
      const url = new URL(`http://127.0.0.1:${port}/`);
      await assert.rejects(
        poster.post(url, { ...post, signal: stopping.signal }),
        saying(/^was aborted by a shutdown of the service$/),
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe("the response of a post", () => {
  it("is read up to 64 KiB, and reported as cut when longer", async () => {
    const whole = await postTo((_req, res) => void res.end("x".repeat(65_536)));
    assert.deepEqual([whole.answer.length, whole.isCut], [65_536, false]);
    const longer = await postTo((_req, res) => void res.end("x".repeat(65_537)));
    assert.deepEqual([longer.answer.length, longer.isCut], [65_536, true]);
  });

  it("with too large headers is a described error", async () => {
    await assert.rejects(
      postTo((_req, res) => void res.writeHead(200, { "x-long": "x".repeat(20_000) }).end()),
      saying(/^sent too large headers$/),
    );
  });

  it("that is cut off is retried only on a reused connection", async () => {
    let requests = 0;
    const server = createServer((req, res) => {
      requests += 1;
      if (requests === 2) req.socket.destroy();
      else res.end("ok");
    });
    const port = await listen(server);
    using poster = openPoster({ allowed, times: long });
    try {
      const url = new URL(`http://127.0.0.1:${port}/`);
      for (let n = 0; n < 2; n += 1) assert.equal((await poster.post(url, post)).status, 200);
      assert.equal(requests, 3);
      await assert.rejects(
        postTo((req) => void req.socket.destroy()),
        saying(/^cut the connection$/),
      );
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
