import assert from "node:assert/strict";
import { test } from "node:test";
import { CACHED_MS, openCachedObjects } from "./cached.ts";
import { putCoded } from "./coded.ts";
import { openMemoryObjects } from "./memory.ts";
import type { Objects } from "./objects.ts";

const KEY = "p/1.json";
const served = { contentType: "application/json", cacheControl: "public, max-age=60" };

/** Storage with a cache on a clock of its own, and the keys that are read from storage. */
function open({ bytesMax = 16 * 1024 * 1024 } = {}) {
  const storage = openMemoryObjects();
  const reads: string[] = [];
  const clock = { ms: 1 };
  const counted: Objects = {
    ...storage,
    openObject(key) {
      reads.push(key);
      return storage.openObject(key);
    },
  };
  const cached = openCachedObjects(counted, bytesMax, () => clock.ms);
  const put = (to: Objects, text: string, key = KEY) =>
    to.putObject({ ...served, key, bytes: Buffer.from(text) });
  const read = async (...keys: string[]) => {
    const found = await cached.readFirst(keys.length > 0 ? keys : [KEY]);
    return found === undefined || found === "uncached" ? found : found.bytes.toString();
  };
  return { storage, cached, reads, clock, put, read };
}

test("reads an object from storage once, also for concurrent readers", async () => {
  const { cached, reads, put, read } = open();
  await put(cached.objects, "1");
  assert.deepEqual(await Promise.all([read(), read()]), ["1", "1"]);
  assert.equal(await read(), "1");
  assert.deepEqual(reads, [KEY]);
});

test("reads changes of this node at once, and those of other nodes after a second", async () => {
  const { storage, cached, clock, put, read } = open();
  await put(cached.objects, "1");
  assert.equal(await read(), "1");
  await put(cached.objects, "2");
  assert.equal(await read(), "2");
  await put(storage, "3");
  assert.equal(await read(), "2");
  clock.ms += CACHED_MS + 1;
  assert.equal(await read(), "3");
  await cached.objects.deleteObject(KEY);
  assert.equal(await read(), undefined);
  await put(storage, "4");
  assert.equal(await read(), "4", "a missing object is not cached");
});

test("keeps no object that was replaced while it was read", async () => {
  const { storage, put } = open();
  const opening = Promise.withResolvers<void>();
  const late: Objects = {
    ...storage,
    async openObject(key) {
      const opened = await storage.openObject(key);
      await opening.promise;
      return opened;
    },
  };
  const cached = openCachedObjects(late, 1024 * 1024);
  await put(storage, "1");
  const first = cached.readFirst([KEY]);
  await put(cached.objects, "2");
  opening.resolve();
  await first;
  const second = await cached.readFirst([KEY]);
  assert.equal(typeof second === "object" && second.bytes.toString(), "2");
});

test("reads the coding of the newest version, and the plain text when it has none any more", async () => {
  const { cached, read } = open();
  const put = (text: string) =>
    putCoded(cached.objects, { ...served, key: KEY, bytes: Buffer.from(text) });
  await put("long ".repeat(1_000));
  assert.notEqual(await read(`${KEY}.br`, KEY), "long ".repeat(1_000));
  await put("short");
  assert.equal(await read(`${KEY}.br`, KEY), "short");
});

test("does not keep large objects, nor those whose changes have to be visible at once", async () => {
  const { cached, put, read } = open();
  await put(cached.objects, "x".repeat(1024 * 1024 + 1));
  assert.equal(await read(), "uncached");
  const staged = { ...served, cacheControl: "no-cache" };
  await cached.objects.putObject({ ...staged, key: KEY, bytes: Buffer.from("1") });
  assert.equal(await read(), "uncached");
});

test("keeps at most the configured memory, and nothing with 0", async () => {
  const { cached, reads, put, read } = open({ bytesMax: 100_000 });
  const keys = ["a/1.json", "a/2.json", "a/3.json"];
  for (const key of keys) await put(cached.objects, "x".repeat(40_000), key);
  for (const key of keys) await read(key);
  await read("a/3.json");
  await read("a/1.json");
  assert.deepEqual(reads, [...keys, "a/1.json"]);
  const none = open({ bytesMax: 0 });
  await none.put(none.cached.objects, "1");
  assert.equal(await none.read(), "uncached");
});

test("fails as storage does, and reads again afterwards", async () => {
  const { storage, put } = open();
  await put(storage, "1");
  let isAway = true;
  const cached = openCachedObjects(
    {
      ...storage,
      openObject: (key) =>
        isAway ? Promise.reject(new Error("unavailable")) : storage.openObject(key),
    },
    1024 * 1024,
  );
  await assert.rejects(cached.readFirst([KEY]), /unavailable/);
  isAway = false;
  const found = await cached.readFirst([KEY]);
  assert.equal(typeof found === "object" && found.bytes.toString(), "1");
});
