import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pino } from "pino";
import { setCredentials } from "../../../../test/stand-ins/credentials.ts";
import { type Fault, type S3StandIn, openS3StandIn } from "../../../../test/stand-ins/s3.ts";
import { readObject } from "./objects.ts";
import { openS3Objects } from "./s3.ts";

const bucket = "avow-test";
const signer = { accessKeyId: "KEY", secretAccessKey: "secret" };
const kept = { contentType: "text/plain", cacheControl: "no-cache" };
const serverError: Fault = { kind: "error", status: 500, code: "InternalError" };
const slowDown: Fault = { kind: "error", status: 503, code: "SlowDown" };
/** A busy machine may pause for part of a second. */
const patient = { connectMs: 5_000, requestMs: 5_000, stallMs: 800 };
const hasty = { connectMs: 1_000, requestMs: 300, stallMs: 300 };
/** Four attempts of 300 ms each have failed by then, including backoff. */
const BOUND_MS = 15_000;

async function openStorage(context: TestContext, timeouts = patient) {
  const opened = new AsyncDisposableStack();
  context.after(() => opened.disposeAsync());
  opened.use(setCredentials(signer));
  const s3 = opened.use(await openS3StandIn({ ...signer, bucket }));
  const place = { bucket, prefix: "p/", endpoint: s3.url, region: "eu-west-1", pathStyle: true };
  const objects = opened.use(await openS3Objects({ ...place, timeouts }));
  const folder = await mkdtemp(join(tmpdir(), "avow-s3-"));
  opened.defer(() => rm(folder, { recursive: true }));
  const path = join(folder, "large");
  const bytes = Buffer.alloc(2_000_000, "0123456789");
  await writeFile(path, bytes);
  const file = { ...kept, key: "file.txt", path, sizeBytes: bytes.length };
  return { s3, objects, file, bytes };
}

function countPuts(s3: S3StandIn, key: string): number {
  return s3.requests.filter((one) => one.method === "PUT" && one.key === key).length;
}

// The SDK's backoff grows after the second attempt.
for (const [name, fault, times] of [
  ["500, three times", serverError, 3],
  ["503 SlowDown", slowDown, 1],
] as const) {
  test(`every operation succeeds after ${name}`, async (context) => {
    const { s3, objects, file, bytes } = await openStorage(context);
    for (const method of ["PUT", "GET", "HEAD", "DELETE"])
      s3.fail({ method, key: /./, times }, fault);
    await objects.putObject({ ...kept, key: "a.txt", bytes: Buffer.from("a") });
    assert.equal(countPuts(s3, "p/a.txt"), times + 1);
    assert.equal((await readObject(objects, "a.txt"))?.toString(), "a");
    assert.equal((await objects.findObject("a.txt"))?.sizeBytes, 1);
    await objects.deleteObject("a.txt");
    assert.equal(s3.objects.has("p/a.txt"), false);
    s3.fail({ method: "PUT", times }, fault);
    await objects.putFile(file);
    assert.equal(countPuts(s3, "p/file.txt"), times + 1);
    assert.ok(s3.objects.get("p/file.txt")?.bytes.equals(bytes));
  });
}

test("restarts an upload whose connection was reset", async (context) => {
  const { s3, objects, file, bytes } = await openStorage(context);
  s3.fail({ method: "PUT", times: 2 }, { kind: "cut-upload", afterBytes: 500_000 });
  await objects.putFile(file);
  assert.ok(s3.objects.get("p/file.txt")?.bytes.equals(bytes));
  s3.fail({ method: "PUT", times: 2 }, { kind: "cut-upload", afterBytes: 500_000 });
  await objects.putObject({ ...kept, key: "bytes.txt", bytes });
  assert.ok(s3.objects.get("p/bytes.txt")?.bytes.equals(bytes));
  assert.deepEqual([countPuts(s3, "p/file.txt"), countPuts(s3, "p/bytes.txt")], [3, 3]);
});

test("a put that fails permanently throws and leaves the object unchanged", async (context) => {
  const { s3, objects, file } = await openStorage(context);
  await objects.putObject({ ...kept, key: file.key, bytes: Buffer.from("before") });
  for (const fault of [
    serverError,
    { kind: "cut-upload", afterBytes: 500_000 } as const,
    { kind: "error", status: 403, code: "AccessDenied" } as const,
  ]) {
    s3.fail({ method: "PUT", times: 4 }, fault);
    await assert.rejects(objects.putFile(file));
    s3.fail({ method: "PUT", times: 4 }, fault);
    const bytes = Buffer.alloc(1_000_000);
    await assert.rejects(objects.putObject({ ...kept, key: file.key, bytes }));
    s3.clear();
    assert.equal((await readObject(objects, file.key))?.toString(), "before");
  }
});

test("does not retry a rejection", async (context) => {
  const { s3, objects, file } = await openStorage(context);
  s3.fail({ method: "PUT", times: 9 }, { kind: "error", status: 403, code: "AccessDenied" });
  await assert.rejects(objects.putFile(file), /AccessDenied/);
  await assert.rejects(objects.putObject({ ...kept, key: "a.txt", bytes: Buffer.from("a") }));
  assert.deepEqual([countPuts(s3, "p/file.txt"), countPuts(s3, "p/a.txt")], [1, 1]);
});

test("times out without a response", async (context) => {
  const { s3, objects } = await openStorage(context, hasty);
  s3.fail({ key: /./, times: 99 }, { kind: "silence" });
  const began = Date.now();
  const put = objects.putObject({ ...kept, key: "a.txt", bytes: Buffer.from("a") });
  // The timeout of the request or of the idle connection, whichever is first.
  const message = /^S3 could not (put|read) a\.txt: (ETIMEDOUT|TimeoutError), /;
  await assert.rejects(put, { name: "StorageError", isUnavailable: true, message });
  const read = objects.openObject("a.txt");
  await assert.rejects(read, { name: "StorageError", isUnavailable: true, message });
  assert.ok(Date.now() - began < BOUND_MS);
});

test("fails in limited time when a body stalls or is cut off", async (context) => {
  const { s3, objects, bytes } = await openStorage(context);
  await objects.putObject({ ...kept, key: "a.txt", bytes });
  for (const kind of ["stall-read", "cut-read"] as const) {
    s3.fail({ method: "GET", times: 1 }, { kind });
    const began = Date.now();
    const message = /^S3 could not read a\.txt to its end: /;
    await assert.rejects(readObject(objects, "a.txt"), { isUnavailable: true, message });
    assert.ok(Date.now() - began < BOUND_MS);
  }
  assert.ok((await readObject(objects, "a.txt"))?.equals(bytes));
});

test("reads a slow body completely", async (context) => {
  const { s3, objects } = await openStorage(context);
  const bytes = Buffer.alloc(100_000, "abc");
  await objects.putObject({ ...kept, key: "a.txt", bytes });
  s3.fail({ method: "GET", times: 1 }, { kind: "slow-read", parts: 10, pauseMs: 100 });
  // Longer than the stall timeout.
  assert.ok((await readObject(objects, "a.txt"))?.equals(bytes));
});

test("a small unread object occupies no connection", async (context) => {
  const { objects } = await openStorage(context);
  await objects.putObject({ ...kept, key: "a.txt", bytes: Buffer.alloc(50_000, "a") });
  const unread = [];
  // More than the maximum number of connections.
  for (let at = 0; at < 80; at += 1) unread.push(await objects.openObject("a.txt"));
  assert.equal((await readObject(objects, "a.txt"))?.length, 50_000);
  for (const object of unread) object?.body.destroy();
});

test("disconnects a large object whose reader stalls, and frees its connection", async (context) => {
  const { objects } = await openStorage(context);
  await objects.putObject({ ...kept, key: "a.txt", bytes: Buffer.alloc(30_000_000) });
  const opened = await objects.openObject("a.txt");
  assert.ok(opened);
  // Unread, it emits no end, but an error.
  await assert.rejects(once(opened.body, "end"), { message: /to its end: TimeoutError/ });
});

test("a missing file, or one of another size, fails at once", async (context) => {
  const { s3, objects, file } = await openStorage(context);
  await assert.rejects(objects.putFile({ ...file, path: `${file.path}.gone` }), /ENOENT/);
  await assert.rejects(objects.putFile({ ...file, sizeBytes: 1 }), /has 2000000 bytes, not 1/);
  assert.equal(countPuts(s3, "p/file.txt"), 0);
});

test("an error has the object and S3's error, and nothing that must not be logged", async (context) => {
  const { s3, objects } = await openStorage(context);
  s3.fail({ times: 1 }, { kind: "error", status: 403, code: "InvalidAccessKeyId" });
  const error: unknown = await objects.openObject("a.txt").catch((reason: unknown) => reason);
  assert.ok(error instanceof Error);
  assert.match(error.message, /^S3 could not read a\.txt: InvalidAccessKeyId \(403\)/);
  const lines: string[] = [];
  pino({}, { write: (line) => void lines.push(line) }).error({ err: error }, "failed");
  assert.match(lines.join(""), /InvalidAccessKeyId/);
  assert.doesNotMatch(lines.join(""), /KEY|secret|Signature=/);
});

test("sends Accept-Encoding unsigned, so that storage does not decompress objects", async (context) => {
  const { s3, objects } = await openStorage(context);
  await objects.putObject({
    ...kept,
    key: "a.gz",
    bytes: Buffer.from("a"),
    contentEncoding: "gzip",
  });
  await readObject(objects, "a.gz");
  const { headers } = s3.requests.at(-1) ?? assert.fail();
  assert.match(String(headers["accept-encoding"]), /gzip/);
  assert.doesNotMatch(String(headers.authorization), /accept-encoding/);
});

test("a missing bucket is an error, and not a missing object", async (context) => {
  const { s3, objects } = await openStorage(context);
  s3.fail({ times: 1 }, { kind: "error", status: 404, code: "NoSuchBucket" });
  await assert.rejects(objects.openObject("a.txt"), {
    name: "StorageError",
    message: /NoSuchBucket/,
  });
  s3.fail({ times: 1 }, { kind: "error", status: 404, code: "NoSuchKey" });
  await objects.deleteObject("a.txt");
});
