import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { after, test } from "node:test";
import Fastify from "fastify";
import { parse } from "csv-parse/sync";
import { unguardCell } from "@avow/contract/csv";
import type { Actor } from "../../kernel/actor.ts";
import { createFailureAnswers } from "../errors/failures.ts";
import type { Http } from "../http.ts";
import { answerList, negotiateList } from "./lists.ts";
import { type StreamBounds, openStreams, watchReader } from "../streams.ts";

interface Item {
  n: number;
  text: string;
}

const opened = new AsyncDisposableStack();
after(() => opened.disposeAsync());

/** A service with one list of `length` items; calls `onPage` before each page. */
async function openService(options: {
  length: number;
  max?: number;
  userMax?: number;
  stallMs?: number;
  text?: string;
  onPage?: (page: number) => Promise<void> | void;
}) {
  const { length, text = "=1+1", onPage } = options;
  const http: Http = Fastify();
  http.setErrorHandler(createFailureAnswers(""));
  http.decorateRequest("actor");
  http.addHook("onRequest", (req, _reply, done) => {
    req.actor = { kind: "user", userId: String(req.headers["x-user"] ?? "a"), tokenId: "t" };
    done();
  });
  const streams = openStreams(http, options);
  const reads = { pages: 0 };
  const readPage = async (cursor: string | undefined) => {
    reads.pages += 1;
    await onPage?.(reads.pages);
    const from = Number(cursor ?? 0);
    const size = Math.min(100, length - from);
    const items = Array.from({ length: size }, (_, at): Item => ({ n: from + at, text }));
    return { items, next: from + 100 < length ? String(from + 100) : undefined };
  };
  http.get("/list", async (req, reply) => {
    const format = negotiateList(req, reply);
    if (format === "json") return { items: (await readPage(undefined)).items };
    const columns = { n: (item: Item) => String(item.n), text: (item: Item) => item.text };
    const first = await readPage(undefined);
    const toLine = (item: Item) => JSON.stringify(item);
    return answerList(streams, { req, reply, format }, { first, readPage, columns, toLine });
  });
  const url = await http.listen({ host: "127.0.0.1", port: 0 });
  opened.defer(() => http.close());
  return { http, url: `${url}/list`, reads };
}

const ask = (url: string, accept: string, method = "GET") =>
  fetch(url, { method, headers: { accept }, signal: AbortSignal.timeout(20_000) });

/** A client that sends a request and reads nothing unless resumed. */
async function openReader(http: Http): Promise<Socket> {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port });
  await once(socket, "connect");
  socket.pause();
  socket.on("error", () => undefined);
  socket.write("GET /list HTTP/1.1\r\nHost: a\r\nAccept: application/x-ndjson\r\n\r\n");
  return socket;
}

async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!what()) {
    assert.ok(Date.now() < deadline, `in time: ${what.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until no page has been read for 100 ms; fails where pages are read for 10 s. */
async function waitUntilIdle(reads: { pages: number }): Promise<void> {
  const deadline = Date.now() + 10_000;
  let before = -1;
  while (before !== reads.pages) {
    assert.ok(Date.now() < deadline, `pages are still read: ${reads.pages}`);
    before = reads.pages;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const preferences: [string, string][] = [
  ["*/*", "application/json"],
  ["application/json, text/csv", "application/json"],
  ["text/csv, application/json", "text/csv"],
  ["text/html,application/xml;q=0.9,*/*;q=0.8", "application/json"],
  ["application/x-ndjson", "application/x-ndjson"],
  ["text/csv;q=0.5, application/x-ndjson;q=0.6", "application/x-ndjson"],
  ["text/csv;q=0, */*;q=0.1", "application/json"],
  ["text/*", "text/csv"],
  ["application/json;q=0.1, text/csv;q=0.2", "text/csv"],
  ["image/png", "application/json"],
  [";;;,,", "application/json"],
];

test("answers a list in the format of Accept, JSON by default", async () => {
  const { url } = await openService({ length: 1 });
  for (const [accept, type] of preferences) {
    const answer = await ask(url, accept);
    assert.equal(answer.headers.get("content-type")?.split(";")[0], type, accept);
    assert.match(answer.headers.get("vary") ?? "", /Accept/);
    await answer.text();
  }
});

test("NDJSON has one line for each item of all pages, in order", async () => {
  const { url, reads } = await openService({ length: 1_234 });
  const text = await (await ask(url, "application/x-ndjson")).text();
  assert.ok(text.endsWith("\n"));
  const items = text
    .trimEnd()
    .split("\n")
    .map((line): Item => JSON.parse(line));
  assert.deepEqual(
    items.map(({ n }) => n),
    Array.from({ length: 1_234 }, (_, n) => n),
  );
  assert.equal(reads.pages, 13);
});

test("CSV has a header and every item, and escapes formulas", async () => {
  const { url } = await openService({ length: 250, text: '=a;"b"' });
  const text = await (await ask(url, "text/csv")).text();
  const options = { delimiter: ";", record_delimiter: "\r\n" };
  const rows = parse(text, options);
  assert.deepEqual(rows[0], ["n", "text"]);
  assert.equal(rows.length, 251);
  assert.deepEqual(rows[250], ["249", `'=a;"b"`]);
  assert.equal(unguardCell(rows[250]?.[1] ?? ""), '=a;"b"');
});

test("streams an empty list as nothing, or as a header only", async () => {
  const { url } = await openService({ length: 0 });
  assert.equal(await (await ask(url, "application/x-ndjson")).text(), "");
  assert.equal(await (await ask(url, "text/csv")).text(), "n;text\r\n");
});

test("HEAD reads one page and opens no stream", async () => {
  const { url, reads } = await openService({ length: 100_000 });
  const answer = await ask(url, "text/csv", "HEAD");
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/);
  assert.equal(reads.pages, 1);
});

test("answers a failure before the first byte with a problem", async () => {
  const { url } = await openService({
    length: 10,
    onPage: () => {
      throw new Error("Connection terminated unexpectedly");
    },
  });
  const answer = await ask(url, "text/csv");
  assert.equal(answer.status, 503);
  assert.equal(answer.headers.get("content-type"), "application/problem+json; charset=utf-8");
});

test("closes the connection when a stream fails, so that a truncated file is detected", async () => {
  const { url } = await openService({
    length: 100_000,
    text: "x".repeat(1_000),
    onPage: (page) => {
      if (page === 20) throw new Error("Connection terminated unexpectedly");
    },
  });
  const answer = await ask(url, "application/x-ndjson");
  assert.equal(answer.status, 200);
  await assert.rejects(answer.text(), /terminated/);
});

test("reads pages only as fast as the client does", async () => {
  const { http, reads } = await openService({ length: 1_000_000, text: "x".repeat(1_000) });
  const socket = await openReader(http);
  await until(() => reads.pages > 3);
  await waitUntilIdle(reads);
  assert.ok(reads.pages < 1_000, `${reads.pages} pages were read ahead`);
  socket.destroy();
});

test("reads no further page after the client disconnects", async () => {
  const { http, reads } = await openService({
    length: 10_000_000,
    onPage: () => new Promise((resolve) => setTimeout(resolve, 1)),
  });
  const socket = await openReader(http);
  socket.resume();
  await until(() => reads.pages > 5);
  socket.destroy();
  await waitUntilIdle(reads);
});

test("disconnects a client that reads nothing, and frees its slot", async () => {
  const options = { length: 1_000_000, text: "x".repeat(1_000), stallMs: 200, max: 1 };
  const { http, url } = await openService(options);
  const socket = await openReader(http);
  const closed = once(socket, "close");
  // Bytes in transit still arrive; then the connection ends without the last chunk's terminator.
  await new Promise((resolve) => setTimeout(resolve, 600));
  let tail = "";
  socket.on("data", (bytes) => (tail = bytes.toString("latin1").slice(-7)));
  socket.resume();
  await closed;
  assert.ok(!tail.endsWith("0\r\n\r\n"));
  const next = await ask(url, "application/x-ndjson");
  assert.equal(next.status, 200);
  await next.body?.cancel();
});

test("answers 503 with Retry-After beyond the limit of streams, but still answers JSON", async () => {
  const { http, url, reads } = await openService({
    length: 1_000_000,
    text: "x".repeat(1_000),
    max: 2,
  });
  const readers = [await openReader(http), await openReader(http)];
  await until(() => reads.pages > 4);
  const refused = await ask(url, "text/csv");
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get("retry-after"), "5");
  assert.equal((await ask(url, "application/json")).status, 200);
  for (const reader of readers) reader.destroy();
  let status = 503;
  while (status === 503) {
    const answer = await ask(url, "text/csv");
    status = answer.status;
    await answer.body?.cancel();
  }
  assert.equal(status, 200);
});

test("limits the streams of one user with 429, and still serves another user", async () => {
  const text = "x".repeat(1_000);
  const { http, url, reads } = await openService({ length: 1_000_000, text, userMax: 2 });
  const readers = [await openReader(http), await openReader(http)];
  await until(() => reads.pages > 4);
  const refused = await ask(url, "text/csv");
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "5");
  const headers = { accept: "text/csv", "x-user": "b" };
  const other = await fetch(url, { headers });
  assert.equal(other.status, 200);
  await other.body?.cancel();
  for (const reader of readers) reader.destroy();
});

/** Reads pieces of `bytes`, each after `pauseMs`. Returns the number of the piece at which the stall was reported. */
async function readSlowly(bytes: number, pauseMs: number): Promise<number | undefined> {
  let [taken, stalledAt]: (number | undefined)[] = [0, undefined];
  const source = async function* () {
    // The source's own time does not count.
    await new Promise((resolve) => setTimeout(resolve, 600));
    for (let n = 0; n < 10; n += 1) yield "x".repeat(bytes);
  };
  const pace = { stallMs: 500, readBytesMin: 1_000 };
  const pieces = watchReader(source(), pace, () => (stalledAt ??= taken));
  for await (const _piece of pieces) {
    taken = (taken ?? 0) + 1;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return stalledAt;
}

test("reports a stall for a client that reads too slowly, and none for one that is fast enough", async () => {
  const stalledAt = await readSlowly(10, 100);
  assert.ok(stalledAt !== undefined && stalledAt > 1 && stalledAt < 8, String(stalledAt));
  assert.equal(await readSlowly(1_000, 100), undefined);
});

test("aborts streams at shutdown, which completes in time", async () => {
  const { http } = await openService({ length: 1_000_000, text: "x".repeat(1_000) });
  const socket = await openReader(http);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const startedAt = Date.now();
  await http.close();
  assert.ok(Date.now() - startedAt < 2_000);
  socket.destroy();
});

test("limits the streams of one project, including reserved slots, and still serves other projects", async () => {
  const { url, reserve } = await openEndless({ max: 4, projectMax: 2 });
  const first = await read(url, { user: "a", project: "p" });
  using _slot = reserve("b", "p");
  const refused = await read(url, { user: "c", project: "p" });
  assert.equal(refused.status, 429);
  assert.ok(refused.headers.get("retry-after"));
  await refused.text();
  const others = await Promise.all([
    read(url, { user: "d", project: "q" }),
    read(url, { user: "e", project: "r" }),
  ]);
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200],
  );
  const beyond = await read(url, { user: "f", project: "s" });
  assert.equal(beyond.status, 503);
  await beyond.text();
  for (const { body } of [first, ...others]) await body?.cancel();
});

test("ends a stream at its timeout, also for a fast client", async () => {
  const { url } = await openEndless({ max: 1, timeoutMs: 300 });
  const cut = await read(url, { user: "a", project: "p" });
  assert.equal(cut.status, 200);
  await assert.rejects(cut.text(), /terminated/);
  const next = await read(url, { user: "a", project: "p" });
  assert.equal(next.status, 200, "its slot is free");
  await assert.rejects(next.text(), /terminated/);
});

/** A service with a slow endless stream, for any user and project. */
async function openEndless(bounds: StreamBounds) {
  const http: Http = Fastify();
  http.setErrorHandler(createFailureAnswers(""));
  http.decorateRequest("actor");
  const toActor = (userId: string): Actor => ({ kind: "user", userId, tokenId: "t" });
  http.addHook("onRequest", (req, _reply, done) => {
    req.actor = toActor(String(req.headers["x-user"]));
    done();
  });
  const streams = openStreams(http, bounds);
  async function* chunks() {
    for (;;) {
      yield "x".repeat(1_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  http.get("/", (req, reply) => {
    const projectId = String(req.headers["x-project"]);
    return streams.answer({ req, reply }, { type: "text/plain", chunks: chunks(), projectId });
  });
  const url = await http.listen({ host: "127.0.0.1", port: 0 });
  opened.defer(() => http.close());
  return {
    url,
    reserve: (user: string, project: string) => streams.reserveSlot(toActor(user), project),
  };
}

const read = (url: string, { user, project }: { user: string; project: string }) =>
  fetch(url, {
    headers: { "x-user": user, "x-project": project },
    signal: AbortSignal.timeout(20_000),
  });
