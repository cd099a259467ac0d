import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openPurgeStandIn } from "../../../../test/stand-ins/purge.ts";
import { type PurgeOptions, openPurgeCdn } from "./purge.ts";

const secret = "hunter2-of-the-cache";
const times = { requestMs: 2_000, allMs: 10_000 };

async function openCache(context: TestContext, change: Partial<PurgeOptions> = {}) {
  const cache = await openPurgeStandIn();
  context.after(() => cache[Symbol.asyncDispose]());
  const cdn = openPurgeCdn({
    caches: [`${cache.url}{path}`],
    method: "PURGE",
    headers: { "X-Key": secret },
    body: undefined,
    cdnUrl: "https://cdn.example:8443/consent",
    times,
    ...change,
  });
  const purge = (...paths: string[]) => cdn.invalidatePaths({ paths, reference: "job" });
  return { cache, purge };
}

/** The message of a failure, checked to contain no header value. */
async function failureOf(purging: Promise<unknown>): Promise<string> {
  const error: unknown = await purging.then(
    () => assert.fail("it was purged"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, new RegExp(secret));
  return error.message;
}

test("purges each path with the configured headers", async (context) => {
  const { cache, purge } = await openCache(context, {
    headers: { "X-Key": secret, Host: "{host}" },
  });
  const { note } = await purge("/b.json", "/a.json");
  assert.equal(note, "2 paths were purged from the cache.");
  const requests = cache.received.map(
    ({ method, path, headers }) => `${method} ${path} ${headers.host} ${String(headers["x-key"])}`,
  );
  const names = `cdn.example:8443 ${secret}`;
  assert.deepEqual(
    requests.toSorted((a, b) => a.localeCompare(b)),
    [`PURGE /a.json ${names}`, `PURGE /b.json ${names}`],
  );
});

test("sends a body with its length and JSON-escaped values", async (context) => {
  const { cache, purge } = await openCache(context, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"files":["{url}"],"host":"{host}"}',
  });
  await purge('/a"b.json');
  const [asked] = cache.received;
  assert.deepEqual(JSON.parse(asked?.body ?? ""), {
    files: ['https://cdn.example:8443/a"b.json'],
    host: "cdn.example:8443",
  });
  assert.equal(asked?.headers["content-length"], String(asked?.body.length));
  assert.equal(asked?.headers["transfer-encoding"], undefined);
});

test("purges every cache with eight concurrent requests", async (context) => {
  const second = await openPurgeStandIn();
  context.after(() => second[Symbol.asyncDispose]());
  const first = await openPurgeStandIn();
  context.after(() => first[Symbol.asyncDispose]());
  const caches = [`${first.url}{path}`, `${second.url}/purge{path}`];
  const { purge } = await openCache(context, { caches });
  const { note } = await purge(...Array.from({ length: 60 }, (_, at) => `/${at}.json`));
  assert.equal(note, "60 paths were purged from 2 caches.");
  assert.deepEqual([first.received.length, second.received.length], [60, 60]);
  assert.equal(second.received[0]?.path.startsWith("/purge/"), true);
  assert.ok(Math.max(first.openMax(), second.openMax()) <= 8);
});

for (const status of [404, 410, 412]) {
  test(`accepts ${status} of a purge as not cached, and rejects it for a POST`, async (context) => {
    const { cache, purge } = await openCache(context);
    cache.reply(1, { status });
    await purge("/a.json");
    const api = await openCache(context, { method: "POST", body: "{url}" });
    api.cache.reply(1, { status });
    assert.match(await failureOf(api.purge("/a.json")), new RegExp(`answered ${status}`));
  });
}

test("retries 429, 5xx and a reset connection after the requested pause", async (context) => {
  const { cache, purge } = await openCache(context);
  cache.reply(1, { status: 429, headers: { "retry-after": "1" } });
  cache.reply(1, { status: 503 });
  cache.reply(1, "cut");
  const began = Date.now();
  await purge("/a.json");
  assert.equal(cache.received.length, 4);
  assert.ok(Date.now() - began >= 1_000);
});

test("names the cache and its response after the last attempt", async (context) => {
  const { cache, purge } = await openCache(context);
  cache.reply(4, { status: 503 });
  const failed = await failureOf(purge("/a.json"));
  assert.equal(failed, `1 of 1 purges failed: ${cache.url} answered 503`);
  cache.reply(3, { status: 403 });
  const refused = await failureOf(purge("/a.json", "/b.json", "/c.json"));
  assert.equal(refused, `3 of 3 purges failed: ${cache.url} answered 403`);
  assert.equal(cache.received.length, 7);
  cache.reply(1, { status: 301, headers: { location: "/elsewhere" } });
  assert.match(await failureOf(purge("/a.json")), /answered 301/);
});

test("purges the other caches when one is unavailable", async (context) => {
  const gone = await openPurgeStandIn();
  await gone[Symbol.asyncDispose]();
  const cache = await openPurgeStandIn();
  context.after(() => cache[Symbol.asyncDispose]());
  const { purge } = await openCache(context, {
    caches: [`${gone.url}{path}`, `${cache.url}{path}`],
  });
  const failed = await failureOf(purge("/a.json"));
  assert.equal(failed, `1 of 2 purges failed: ${gone.url} cannot be reached (ECONNREFUSED)`);
  assert.equal(cache.received.length, 1);
});

test("times out when a cache does not respond", async (context) => {
  const short = { requestMs: 200, allMs: 500 };
  const { cache, purge } = await openCache(context, { times: short });
  cache.reply(99, "silence");
  assert.match(await failureOf(purge("/a.json", "/b.json")), /timed out/);
});

test("reports a cache that forwards the purge to the service", async (context) => {
  const { cache, purge } = await openCache(context);
  const headers = { "content-type": "application/problem+json; charset=utf-8" };
  cache.reply(1, { status: 404, headers });
  const failed = await failureOf(purge("/a.json"));
  assert.match(failed, /passes PURGE on to the service, which answered 404/);
});
