import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { putCoded } from "../../platform/objects/coded.ts";
import { openCachedObjects } from "../../platform/objects/cached.ts";
import { openFolderObjects } from "../../platform/objects/folder.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import { registerPublishedFiles } from "./files.ts";
import type { Http } from "../http.ts";

const projectId = "0123456789abcdef01234567";
const hashed = `${projectId}/${"ab".repeat(32)}.json`;
let parent: string;
let root: string;
let http: Http;
/** The reads of the storage. */
let reads: string[] = [];
let put: (key: string, text: string, cacheControl: string) => Promise<void>;
let putPicture: (key: string) => Promise<void>;
const shortLife = "public, max-age=60, stale-while-revalidate=600";

before(async () => {
  parent = await mkdtemp(join(tmpdir(), "avow-files-"));
  root = join(parent, "cdn");
  const storage = await openFolderObjects({ root, now: () => new Date() });
  const counted: Objects = {
    ...storage,
    findObject(key) {
      reads.push(`find ${key}`);
      return storage.findObject(key);
    },
    openObject(key) {
      reads.push(`open ${key}`);
      return storage.openObject(key);
    },
  };
  const { objects, readFirst } = openCachedObjects(counted, 16 * 1024 * 1024);
  put = (key, text, cacheControl) =>
    putCoded(objects, {
      key,
      bytes: Buffer.from(text),
      contentType: "application/json; charset=utf-8",
      cacheControl,
    });
  putPicture = (key) =>
    objects.putObject({
      key,
      bytes: Buffer.from("picture"),
      contentType: "image/webp",
      cacheControl: "public, max-age=31536000, immutable",
    });
  await put(`${projectId}.json`, '{"a":"é"}', shortLife);
  await put(hashed, '{"a":1}', "public, max-age=31536000, immutable");
  await writeFile(join(parent, "secret.json"), "secret");
  await writeFile(join(root, `.${projectId}.json.00ff.tmp`), "half");
  await mkdir(join(root, "folder.json"));
  http = Fastify();
  http.setNotFoundHandler((_request, reply) =>
    reply.code(404).type("application/problem+json").header("cache-control", "no-store").send("{}"),
  );
  registerPublishedFiles(http, { objects, readFirst, prefix: "/cdn/", hidden: "private/" });
});

after(async () => {
  await http.close();
  await rm(parent, { recursive: true });
});

test("serves a project's file to every origin, cached for a short time", async () => {
  const answer = await http.inject(`/cdn/${projectId}.json`);
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.body, '{"a":"é"}');
  assert.match(String(answer.headers["content-type"]), /^application\/json/);
  assert.equal(answer.headers["cache-control"], shortLife);
  assert.equal(answer.headers["access-control-allow-origin"], "*");
  assert.equal(answer.headers["cross-origin-resource-policy"], "cross-origin");
  assert.equal(answer.headers["x-content-type-options"], "nosniff");
});

test("serves content under its hash as immutable", async () => {
  const answer = await http.inject(`/cdn/${hashed}?v=1`);
  assert.equal(answer.body, '{"a":1}');
  assert.equal(answer.headers["cache-control"], "public, max-age=31536000, immutable");
});

test("answers HEAD with the same headers and no body", async () => {
  const answer = await http.inject({ method: "HEAD", url: `/cdn/${hashed}` });
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers["content-length"], "7");
  assert.equal(answer.body, "");
});

test("answers 304 for a known file until it is replaced", async () => {
  const url = `/cdn/${projectId}.json`;
  const first = await http.inject(url);
  const ifNoneMatch = { "if-none-match": String(first.headers.etag) };
  const again = await http.inject({ url, headers: ifNoneMatch });
  assert.equal(again.statusCode, 304);
  assert.equal(again.body, "");
  assert.equal(again.headers["cache-control"], first.headers["cache-control"]);
  await put(`${projectId}.json`, '{"a":"e"}', shortLife);
  assert.equal((await http.inject({ url, headers: ifNoneMatch })).statusCode, 200);
});

test("serves text in the accepted content coding, each with its own ETag", async () => {
  const text = JSON.stringify({ words: Array.from({ length: 300 }, (_, n) => `word ${n}`) });
  await put("words.json", text, shortLife);
  const url = "/cdn/words.json";
  const decoders = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    identity: (bytes: Buffer) => bytes,
  };
  const tags = new Set<string>();
  for (const [coding, decode] of Object.entries(decoders)) {
    const headers = { "accept-encoding": coding };
    const answer = await http.inject({ url, headers });
    assert.equal(answer.headers["content-encoding"] ?? "identity", coding);
    assert.equal(answer.headers["vary"], "accept-encoding");
    assert.equal(Number(answer.headers["content-length"]), answer.rawPayload.length);
    assert.equal(decode(answer.rawPayload).toString(), text);
    if (coding !== "identity") assert.ok(answer.rawPayload.length < text.length / 3);
    const etag = String(answer.headers.etag);
    tags.add(etag);
    const again = await http.inject({ url, headers: { ...headers, "if-none-match": etag } });
    assert.equal(again.statusCode, 304);
  }
  assert.equal(tags.size, 3);
  const other = JSON.stringify({ words: "other".repeat(300) });
  await put("words.json", other, shortLife);
  const replaced = await http.inject({ url, headers: { "accept-encoding": "gzip" } });
  assert.equal(gunzipSync(replaced.rawPayload).toString(), other);
});

test("looks up no coding of an image, and reads storage once for what it serves from memory", async () => {
  const key = `${projectId}/${"cd".repeat(32)}.webp`;
  await putPicture(key);
  const headers = { "accept-encoding": "br, gzip" };
  reads = [];
  const { headers: first } = await http.inject({ url: `/cdn/${key}`, headers });
  assert.deepEqual(reads, [`open ${key}`]);
  const known = { ...headers, "if-none-match": String(first.etag) };
  reads = [];
  const again = await http.inject({ url: `/cdn/${key}`, headers: known });
  assert.equal(again.statusCode, 304);
  for (const name of ["cache-control", "vary", "etag"] as const)
    assert.equal(again.headers[name], first[name]);
  assert.deepEqual(reads, []);
});

test("reads no bytes for a 304 of a file whose changes have to be visible at once", async () => {
  await put("staging.json", '{"a":1}', "no-cache");
  const url = "/cdn/staging.json";
  const { headers } = await http.inject(url);
  reads = [];
  const again = await http.inject({ url, headers: { "if-none-match": String(headers.etag) } });
  assert.equal(again.statusCode, 304);
  assert.deepEqual(reads, ["find staging.json"]);
});

test("answers 404 for unpublished objects of the same storage", async () => {
  const key = "private/picture.webp";
  await putPicture(key);
  reads = [];
  assert.equal((await http.inject(`/cdn/${key}`)).statusCode, 404);
  assert.deepEqual(reads, []);
});

const missing = [
  "nothing.json",
  "",
  "folder.json",
  projectId,
  `.${projectId}.json.00ff.tmp`,
  `.metadata/${projectId}.json`,
  "../secret.json",
  "%2e%2e/secret.json",
  "..%2fsecret.json",
  "x/..%2f../secret.json",
  "%2e%2e%5csecret.json",
  `${projectId}.json%00.html`,
  "/etc/passwd",
  "%ff.json",
];

for (const path of missing) {
  test(`answers 404 with a problem for /cdn/${path}`, async () => {
    const answer = await http.inject(`/cdn/${path}`);
    assert.ok([400, 404].includes(answer.statusCode), `answered ${answer.statusCode}`);
    assert.doesNotMatch(answer.body, /secret|half|contentType/);
    if (answer.statusCode === 400) return;
    assert.match(String(answer.headers["content-type"]), /^application\/problem\+json/);
    assert.equal(answer.headers["cache-control"], "no-store");
  });
}

test("a 404 can be read from other origins", async () => {
  const answer = await http.inject("/cdn/nothing.json");
  assert.equal(answer.headers["access-control-allow-origin"], "*");
});

test("never serves a part of a file that is replaced repeatedly", async () => {
  const key = `${projectId}.replaced.json`;
  const texts = Array.from({ length: 40 }, (_, n) =>
    JSON.stringify({ n, text: "x".repeat(n * n * 20) }),
  );
  await put(key, texts[0] ?? "", shortLife);
  const replacing = { on: true };
  const readers = Array.from({ length: 4 }, async () => {
    const answers: string[] = [];
    while (replacing.on) {
      answers.push((await http.inject(`/cdn/${key}`)).body);
      // A request without a connection that is answered from memory waits for nothing.
      await setImmediate();
    }
    return answers;
  });
  for (const text of texts) await put(key, text, shortLife);
  replacing.on = false;
  const answers = (await Promise.all(readers)).flat();
  assert.ok(answers.length > 40, `${answers.length} answers`);
  assert.deepEqual(
    answers.filter((answer) => !texts.includes(answer)),
    [],
  );
});
