import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openFolderObjects } from "../../server/platform/objects/folder.ts";
import { openMemoryObjects } from "../../server/platform/objects/memory.ts";
import { ObjectKeyError } from "../../server/platform/objects/objects.ts";
import type { ObjectIn, Objects } from "../../server/platform/objects/objects.ts";

type Opened = { objects: Objects; close: () => Promise<void> };

const drivers: Record<string, () => Promise<Opened>> = {
  memory: async () => ({ objects: openMemoryObjects(), close: async () => {} }),
  folder: async () => {
    const root = await mkdtemp(join(tmpdir(), "avow-objects-"));
    const objects = await openFolderObjects({ root, now: () => new Date() });
    return { objects, close: () => rm(root, { recursive: true }) };
  },
};

const badKeys = [
  ["", "/", ".", "..", "a", "/a.json", "a.json/", "a//b.json", "../a.json", "a/../b.json"],
  ["./a.json", "a/./b.json", ".a.json", "a/.b.json", "a.json/b.json", "A.json", "a b.json"],
  ["a\\b.json", "a\0.json", "é.json", "a.json\n", "%2e%2e/a.json", "a..json", "a.json."],
  [`${"a".repeat(200)}.json`, `${"a/".repeat(9)}b.json`, `${"a".repeat(129)}/b.json`],
].flat();

for (const [name, openDriver] of Object.entries(drivers)) {
  describe(`objects in ${name}`, () => {
    let opened: Opened;
    let objects: Objects;
    before(async () => {
      opened = await openDriver();
      objects = opened.objects;
    });
    after(() => opened.close());

    test("an object is found as it was put, with a strong entity tag of its bytes", async () => {
      const bytes = Buffer.from([0, 255, 10, 13, 0xc3, 0xa9]);
      await objects.putObject(toObject("a/b-c_d/1.0.json", bytes));
      assert.deepEqual(await objects.findObject("a/b-c_d/1.0.json"), {
        bytes,
        contentType: "application/json; charset=utf-8",
        cacheControl: "public, max-age=60",
        etag: `"${createHash("sha256").update(bytes).digest("hex")}"`,
      });
    });

    test("an empty object is an object", async () => {
      await objects.putObject(toObject("empty.txt", Buffer.alloc(0)));
      assert.equal((await objects.findObject("empty.txt"))?.bytes.length, 0);
    });

    test("what was never put is not found", async () => {
      assert.equal(await objects.findObject("nothing/here.json"), undefined);
    });

    test("a put replaces the object, its type and its cache control", async () => {
      await objects.putObject(toObject("replaced.json", Buffer.from("first")));
      const second = { key: "replaced.json", bytes: Buffer.from("second") };
      await objects.putObject({ ...second, contentType: "text/plain", cacheControl: "no-store" });
      const found = await objects.findObject("replaced.json");
      assert.equal(found?.bytes.toString(), "second");
      assert.equal(found?.contentType, "text/plain");
      assert.equal(found?.cacheControl, "no-store");
    });

    test("changing bytes after a put or a find changes no object", async () => {
      const bytes = Buffer.from("kept");
      await objects.putObject(toObject("kept.json", bytes));
      bytes.fill(0);
      (await objects.findObject("kept.json"))?.bytes.fill(0);
      assert.equal((await objects.findObject("kept.json"))?.bytes.toString(), "kept");
    });

    test("a deleted object is not found, and deleting it again is no error", async () => {
      await objects.putObject(toObject("gone/gone.json", Buffer.from("x")));
      await objects.deleteObject("gone/gone.json");
      assert.equal(await objects.findObject("gone/gone.json"), undefined);
      await objects.deleteObject("gone/gone.json");
      await objects.deleteObject("never/there.json");
    });

    test("an object and a folder of the same name stand side by side", async () => {
      await objects.putObject(toObject("p1.json", Buffer.from("pointer")));
      await objects.putObject(toObject("p1/hash.json", Buffer.from("content")));
      assert.equal((await objects.findObject("p1.json"))?.bytes.toString(), "pointer");
      assert.equal((await objects.findObject("p1/hash.json"))?.bytes.toString(), "content");
    });

    test("a reader sees one whole version while others are put", async () => {
      const versions = Array.from({ length: 12 }, (_, index) => Buffer.alloc(300_000, index));
      await objects.putObject(toObject("busy.json", versions[0] ?? Buffer.alloc(0)));
      const writing = { ends: false };
      const writes = Promise.all(
        versions.map((bytes) => objects.putObject(toObject("busy.json", bytes))),
      ).finally(() => (writing.ends = true));
      let reads = 0;
      while (!writing.ends) {
        const bytes = (await objects.findObject("busy.json"))?.bytes;
        assert.equal(bytes?.length, 300_000);
        assert.ok(bytes?.equals(Buffer.alloc(300_000, bytes[0])));
        reads += 1;
        await new Promise(setImmediate);
      }
      await writes;
      assert.ok(reads > 0);
    });

    for (const key of badKeys) {
      test(`${JSON.stringify(key.slice(0, 40))} is refused as a key by every operation`, async () => {
        await assert.rejects(objects.putObject(toObject(key, Buffer.from("x"))), ObjectKeyError);
        await assert.rejects(objects.findObject(key), ObjectKeyError);
        await assert.rejects(objects.deleteObject(key), ObjectKeyError);
      });
    }
  });
}

function toObject(key: string, bytes: Buffer): ObjectIn {
  const contentType = "application/json; charset=utf-8";
  return { key, bytes, contentType, cacheControl: "public, max-age=60" };
}
