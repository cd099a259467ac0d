import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Fault } from "../../../platform/errors.ts";
import { type Bounds, receiveUpload } from "./receive.ts";

const MIB = 1024 * 1024;

async function openFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "avow-receive-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

function toBounds(bounds: Partial<Bounds> = {}): Bounds {
  return {
    isGzip: false,
    bytesMax: 1_000 * MIB,
    readSpareBytes: async () => MIB,
    take: () => undefined,
    ...bounds,
  };
}

/** A fake disk of `roomBytes`, minus the size of the files in the folder. */
function toDisk(folder: string, roomBytes: number) {
  const asked: number[] = [];
  const readSpareBytes = async (): Promise<number> => {
    const names = await readdir(folder);
    const files = await Promise.all(names.map((name) => readFile(join(folder, name))));
    const spare = roomBytes - files.reduce((sum, { length }) => sum + length, 0);
    asked.push(spare);
    return spare;
  };
  return { asked, readSpareBytes };
}

async function assertRefused(
  folder: string,
  body: Readable,
  { bounds, kind, detail }: { bounds: Bounds; kind: string; detail: RegExp },
): Promise<void> {
  await assert.rejects(receiveUpload(join(folder, "upload"), body, bounds), (error) => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, detail);
    return true;
  });
  assert.deepEqual(await readdir(folder), [], "no file is left");
}

const noRoom = { kind: "busy", detail: /no space for the file/ };

test("writes a file unchanged or decompressed, and returns size and digest", async (t) => {
  const folder = await openFolder(t);
  const bytes = Buffer.from("token;accept\r\n".repeat(1_000));
  for (const isGzip of [false, true]) {
    const path = join(folder, String(isGzip));
    const body = Readable.from([isGzip ? gzipSync(bytes) : bytes]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const upload = await receiveUpload(path, body, toBounds({ isGzip }));
    assert.deepEqual(upload, { size: bytes.length, sha256 });
    assert.deepEqual(await readFile(path), bytes);
  }
});

test("rejects a file during the upload when it exceeds the spare space", async (t) => {
  const folder = await openFolder(t);
  const { readSpareBytes, asked } = toDisk(folder, 16 * MIB);
  const body = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(MIB, "a")));
  await assertRefused(folder, body, { bounds: toBounds({ readSpareBytes }), ...noRoom });
  assert.ok((asked.at(-1) ?? -Infinity) > -8 * MIB, `spare bytes: ${asked.join(", ")}`);
});

test("rejects a file during the upload when it decompresses to more than the spare space", async (t) => {
  const folder = await openFolder(t);
  const { readSpareBytes } = toDisk(folder, 16 * MIB);
  const lines = Array.from({ length: 2_500_000 }, (_, at) => `token-${at};1;2020-01-01\n`);
  const body = Readable.from([gzipSync(lines.join(""))]);
  const bounds = toBounds({ isGzip: true, readSpareBytes });
  await assertRefused(folder, body, { bounds, ...noRoom });
});

test("writes nothing without spare space", async (t) => {
  const folder = await openFolder(t);
  const bounds = toBounds({ readSpareBytes: async () => -1 });
  await assertRefused(folder, Readable.from([Buffer.from("a")]), { bounds, ...noRoom });
});

test("rejects a file with an excessive compression ratio after a MiB", async (t) => {
  const folder = await openFolder(t);
  const bounds = toBounds({ isGzip: true });
  const detail = /decompresses to more than 200 times its size/;
  const body = Readable.from([gzipSync(Buffer.alloc(64 * MIB))]);
  await assertRefused(folder, body, { bounds, kind: "too-large", detail });
  const small = Readable.from([gzipSync(Buffer.alloc(MIB))]);
  assert.equal((await receiveUpload(join(folder, "small"), small, bounds)).size, MIB);
});

test("rejects without waiting for a stalled sender, and drains the rest of its body", async (t) => {
  const folder = await openFolder(t);
  const body = new PassThrough();
  const refused = assertRefused(folder, body, {
    bounds: toBounds({ bytesMax: 10 }),
    kind: "too-large",
    detail: /at most 10 bytes/,
  });
  body.write("more than that");
  await refused;
  assert.equal(body.destroyed, false, "the connection stays open for the response");
  for (let at = 0; at < 10; at += 1) body.write(Buffer.alloc(MIB));
  body.end();
  await new Promise((resolve) => body.once("end", resolve));
});

test("leaves no file when the sender disconnects", async (t) => {
  const folder = await openFolder(t);
  const body = new PassThrough();
  body.write("a");
  const refused = assert.rejects(receiveUpload(join(folder, "upload"), body, toBounds()));
  setImmediate(() => body.destroy(new Error("aborted")));
  await refused;
  assert.deepEqual(await readdir(folder), []);
});
