import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { openFolderObjects } from "./folder.ts";
import { readObject } from "./objects.ts";

const now = () => new Date("2026-05-05T12:00:00Z");
const object = {
  bytes: Buffer.from("{}"),
  contentType: "application/json",
  cacheControl: "no-cache",
};

test("stores an object as the file of its key, and leaves no other file", async (context) => {
  const root = await makeRoot(context);
  const objects = await openFolderObjects({ root, now });
  await objects.putObject({ ...object, key: "p/1.json" });
  assert.equal(await readFile(join(root, "p/1.json"), "utf8"), "{}");
  assert.deepEqual(await readdir(join(root, "p")), ["1.json"]);
  assert.deepEqual((await readdir(root)).toSorted(), [".metadata", "p"]);
});

test("removes old temporary files on opening, and keeps recent ones and all objects", async (context) => {
  const root = await makeRoot(context);
  const first = await openFolderObjects({ root, now });
  await first.putObject({ ...object, key: "p/1.json" });
  const [old, young] = [join(root, "p/.1.json.0a.tmp"), join(root, "p/.1.json.0b.tmp")];
  for (const path of [old, young]) await writeFile(path, "half");
  const hourAgo = new Date(now().getTime() - 3_600_000);
  await utimes(old, hourAgo, hourAgo);
  await utimes(young, now(), now());
  await utimes(join(root, "p/1.json"), hourAgo, hourAgo);
  const again = await openFolderObjects({ root, now });
  assert.deepEqual((await readdir(join(root, "p"))).toSorted(), [".1.json.0b.tmp", "1.json"]);
  assert.equal((await readObject(again, "p/1.json"))?.toString(), "{}");
});

test("serves a file that was added by hand as bytes without caching", async (context) => {
  const root = await makeRoot(context);
  const objects = await openFolderObjects({ root, now });
  await writeFile(join(root, "hand.json"), "1");
  const found = await objects.findObject("hand.json");
  assert.equal(found?.contentType, "application/octet-stream");
  assert.equal(found?.cacheControl, "no-cache");
});

test("a failed put leaves the object unchanged and no temporary file", async (context) => {
  const root = await makeRoot(context);
  const objects = await openFolderObjects({ root, now });
  await objects.putObject({ ...object, key: "1.json" });
  await writeFile(join(root, "blocked"), "a file where a folder is needed");
  await assert.rejects(objects.putObject({ ...object, key: "blocked/1.json" }));
  assert.deepEqual((await readdir(root)).toSorted(), [".metadata", "1.json", "blocked"]);
});

async function makeRoot(context: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "avow-folder-"));
  context.after(() => rm(root, { recursive: true }));
  return root;
}
