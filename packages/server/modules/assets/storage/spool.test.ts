import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import { Fault } from "../../../platform/errors.ts";
import { openSpool } from "./spool.ts";

const MIB = 1024 * 1024;

async function open(t: TestContext, readSpareBytes = async () => MIB) {
  const folder = await mkdtemp(join(tmpdir(), "avow-spool-"));
  t.after(() => rm(folder, { recursive: true }));
  return { folder, spool: await openSpool({ folder, readSpareBytes }) };
}

const isFault = (kind: string) => (error: unknown) => error instanceof Fault && error.kind === kind;

test("keeps files of an upload until it ends", async (t) => {
  const { folder, spool } = await open(t);
  {
    await using upload = spool.openUpload("u");
    const { size, sha256 } = await upload.receive(Readable.from([Buffer.from("abc")]));
    assert.equal(size, 3);
    assert.match(sha256, /^ba7816bf/);
    assert.equal((await readdir(folder)).length, 1);
  }
  assert.deepEqual(await readdir(folder), []);
});

test("limits uploads to 8 per user and 64 in total", async (t) => {
  const { spool } = await open(t);
  const all = Array.from({ length: 8 }, () => spool.openUpload("u0"));
  assert.throws(() => spool.openUpload("u0"), isFault("too-many"));
  for (let at = 8; at < 64; at += 1) all.push(spool.openUpload(`u${Math.floor(at / 8)}`));
  assert.throws(() => spool.openUpload("other"), isFault("busy"));
  for (const upload of all) await upload[Symbol.asyncDispose]();
  await spool.openUpload("other")[Symbol.asyncDispose]();
});

test("rejects uploads when the disk is full, also when it fills during an upload", async (t) => {
  let spare = 5 * MIB;
  const { folder, spool } = await open(t, async () => spare);
  async function* blocks() {
    for (let at = 0; at < 16; at += 1) {
      yield Buffer.alloc(MIB);
      spare -= MIB;
    }
  }
  {
    await using upload = spool.openUpload("u");
    await assert.rejects(upload.receive(Readable.from(blocks())), isFault("busy"));
  }
  assert.deepEqual(await readdir(folder), []);
});

test("removes files of a crashed process, but not those of current uploads", async (t) => {
  const { folder, spool } = await open(t);
  const now = new Date();
  for (const [name, minutes] of Object.entries({ old: 16, young: 14 })) {
    await writeFile(join(folder, name), "x");
    const at = new Date(now.getTime() - minutes * 60_000);
    await utimes(join(folder, name), at, at);
  }
  await spool.removeAbandoned(now);
  assert.deepEqual(await readdir(folder), ["young"]);
});
