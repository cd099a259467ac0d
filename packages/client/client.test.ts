import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { type ClientOptions, createClient } from "./client.ts";
import type { Operation } from "./operations.ts";
import { Problem } from "./problem.ts";
import { retry } from "./retry.ts";

type Page = { items: number[]; links: { self: string; next?: string } };
const getThing: Operation<{ path: { id: string }; query?: { a?: number } }, { ok: boolean }> = [
  "GET",
  "/v1/things/{id}",
];
const addThing: Operation<{ body: object }, { ok: boolean }> = ["POST", "/v1/things"];
const listThings: Operation<{ query?: { limit?: number } }, Page> = ["GET", "/v1/things"];
const input = { path: { id: "x" } };

/** Serves answers one after the other, the last of them again and again, and keeps the requests. */
async function serve(
  answers: readonly ((req: IncomingMessage, res: ServerResponse) => void)[],
  options: Partial<ClientOptions> = {},
) {
  const requests: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    req.resume();
    requests.push(req);
    answers[Math.min(requests.length, answers.length) - 1]?.(req, res);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    client: createClient({ url, ...options }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (_: IncomingMessage, res: ServerResponse) =>
    void res.writeHead(status, headers).end(JSON.stringify(body));
const fine = answer(200, { ok: true });
const busy = answer(503, { type: "/problems/busy", detail: "Busy." }, { "retry-after": "0" });

describe("a call", () => {
  it("sends the token, the version and the address of its operation", async () => {
    await using served = await serve([fine], { token: "t" });
    const { client, requests } = served;
    assert.deepEqual(
      await client.send(getThing, { path: { id: "a/b" }, query: { a: 1 }, ifMatch: '"3"' }),
      { ok: true },
    );
    assert.equal(requests[0]?.url, "/v1/things/a%2Fb?a=1");
    assert.equal(requests[0]?.headers.authorization, "Bearer t");
    assert.equal(requests[0]?.headers["if-match"], '"3"');
  });

  it("throws the problem of the service", async () => {
    const errors = [{ path: "/a", message: "is wrong" }];
    const problem = { type: "https://avow.example/problems/invalid", detail: "No.", errors };
    await using served = await serve([answer(400, problem, { "x-request-id": "r" })]);
    await assert.rejects(served.client.send(getThing, input), (error) => {
      assert.ok(error instanceof Problem);
      const { kind, status, detail, requestId } = error;
      assert.deepEqual(
        { kind, status, detail, requestId, errors: error.errors },
        { kind: "invalid", status: 400, detail: "No.", requestId: "r", errors },
      );
      return true;
    });
  });

  it("throws an internal problem for an error that is no problem document", async () => {
    const page = (_: IncomingMessage, res: ServerResponse) =>
      void res.writeHead(502).end("Bad gateway");
    await using served = await serve([page]);
    await assert.rejects(served.client.send(getThing, input), {
      kind: "internal",
      status: 502,
      detail: "Bad gateway",
    });
  });

  it("times out, as offline", async () => {
    await using served = await serve([() => undefined], { timeoutMs: 50, retries: 0 });
    await assert.rejects(served.client.send(getThing, input), { kind: "offline", status: 0 });
  });

  it("times out by its signal too", async () => {
    await using served = await serve([() => undefined]);
    const signal = AbortSignal.timeout(50);
    await assert.rejects(served.client.sendFile(getThing, input, { signal }), { kind: "offline" });
  });

  it("throws the reason of its signal", async () => {
    await using served = await serve([() => undefined]);
    const signal = AbortSignal.abort(new Error("Enough."));
    await assert.rejects(served.client.send(getThing, input, { signal }), { message: "Enough." });
  });

  it("is repeated after `onRefusal` resolves it, unless the call opts out", async () => {
    const refused = answer(403, { type: "/problems/unauthenticated" });
    const kinds: string[] = [];
    await using served = await serve([refused, fine, refused], {
      onRefusal: async ({ kind }) => kinds.push(kind) > 0,
    });
    const { client } = served;
    assert.deepEqual(await client.send(getThing, input), { ok: true });
    await assert.rejects(client.send(getThing, input, { skipsRefusalHook: true }), { status: 403 });
    assert.deepEqual(kinds, ["unauthenticated"]);
  });
});

describe("a file that is still being made", () => {
  const pending = answer(202, { status: "pending", detail: "Wait." }, { "retry-after": "0" });

  it("is requested again, and is a problem after the limit", async () => {
    await using served = await serve([pending, fine, pending], { retries: 1 });
    const { client, requests } = served;
    assert.deepEqual(await client.send(getThing, input), { ok: true });
    const expected = { kind: "pending", status: 202, detail: "Wait.", retryAfterSeconds: 0 };
    await assert.rejects(client.send(getThing, input), expected);
    assert.equal(requests.length, 4);
  });

  it("is a problem of `sendFile`, whose caller decides how long to wait", async () => {
    await using served = await serve([pending]);
    const { signal } = new AbortController();
    await assert.rejects(served.client.sendFile(getThing, input, { signal }), { kind: "pending" });
    assert.equal(served.requests.length, 1);
  });

  it("is no result of a POST, whose 202 is its result", async () => {
    await using served = await serve([answer(202, { ok: true })]);
    assert.deepEqual(await served.client.send(addThing, { body: {} }), { ok: true });
  });
});

describe("retries", () => {
  it("repeat a read until the service is no longer busy", async () => {
    await using served = await serve([busy, busy, fine]);
    assert.deepEqual(await served.client.send(getThing, input), { ok: true });
  });

  it("end after the limit", async () => {
    await using served = await serve([busy], { retries: 1 });
    await assert.rejects(served.client.send(getThing, input), { kind: "busy" });
    assert.equal(served.requests.length, 2);
  });

  it("repeat a POST with an idempotency key alone", async () => {
    await using served = await serve([busy, busy, fine]);
    const { client, requests } = served;
    await assert.rejects(client.send(addThing, { body: {} }), { kind: "busy" });
    assert.equal(requests.length, 1);
    assert.deepEqual(await client.send(addThing, { body: {}, idempotencyKey: "k" }), { ok: true });
    assert.deepEqual(
      requests.map(({ headers }) => headers["idempotency-key"]),
      [undefined, "k", "k"],
    );
  });

  it("repeat neither an error of the client nor one with a long Retry-After", async () => {
    await using served = await serve([
      answer(404, { type: "/problems/not-found" }),
      answer(429, { type: "/problems/too-many" }, { "retry-after": "3600" }),
    ]);
    await assert.rejects(served.client.send(getThing, input), { kind: "not-found" });
    await assert.rejects(served.client.send(getThing, input), { retryAfterSeconds: 3600 });
    assert.equal(served.requests.length, 2);
  });

  it("repeat work while its errors are transient, and report each", async () => {
    let left = 1;
    const reported: unknown[] = [];
    const broken = new Error("Broken.");
    const work = async (): Promise<string> => {
      if (left-- > 0) throw broken;
      return "done";
    };
    const options = {
      retries: 2,
      isTransient: (error: unknown) => error === broken,
      onRetry: (error: unknown) => void reported.push(error),
    };
    assert.equal(await retry(work, options), "done");
    assert.deepEqual(reported, [broken]);
  });
});

describe("a list", () => {
  it("is iterated over its pages, each fetched when it is needed", async () => {
    // The service knows itself by another name.
    const next = "https://elsewhere.example/v1/things?cursor=c";
    await using served = await serve([
      answer(200, { items: [1, 2], links: { self: "", next } }),
      answer(200, { items: [3], links: { self: "" } }),
    ]);
    const { client, requests } = served;
    const items: number[] = [];
    for await (const item of client.items(listThings)) {
      assert.equal(requests.length, item < 3 ? 1 : 2);
      items.push(item);
    }
    assert.deepEqual(items, [1, 2, 3]);
    assert.equal(requests[1]?.url, "/v1/things?cursor=c");
  });
});

describe("a link", () => {
  it("is read below the path of the service, which it may have already", () => {
    const client = createClient({ url: "http://here.example/consent" });
    for (const link of ["http://there.example/consent/v1/a?b=c", "/v1/a?b=c"])
      assert.equal(client.toAddress(client.toLinked(link)), "http://here.example/consent/v1/a?b=c");
  });
});
