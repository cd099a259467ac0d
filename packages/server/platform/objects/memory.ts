import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { assertObjectKey } from "./objects.ts";
import type { ObjectFacts, ObjectIn, Objects } from "./objects.ts";

/** Opens storage in memory, for tests. */
export function openMemoryObjects(): Objects {
  const objects = new Map<string, { facts: ObjectFacts; bytes: Buffer }>();
  const putObject = async ({ key, bytes, ...metadata }: ObjectIn): Promise<void> => {
    assertObjectKey(key);
    const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
    const facts = { ...metadata, sizeBytes: bytes.length, etag };
    objects.set(key, { facts, bytes: Buffer.from(bytes) });
  };
  return {
    putObject,
    async putFile({ key, path, contentType, cacheControl }) {
      assertObjectKey(key);
      await putObject({ key, bytes: await readFile(path), contentType, cacheControl });
    },
    async findObject(key) {
      assertObjectKey(key);
      return objects.get(key)?.facts;
    },
    async openObject(key) {
      assertObjectKey(key);
      const object = objects.get(key);
      return object && { ...object.facts, body: Readable.from([Buffer.from(object.bytes)]) };
    },
    async readRange(key, { start, length }) {
      assertObjectKey(key);
      const object = objects.get(key);
      return object && Buffer.from(object.bytes.subarray(start, start + length));
    },
    async deleteObject(key) {
      assertObjectKey(key);
      objects.delete(key);
    },
    async *listKeys(prefix = "") {
      for (const key of objects.keys()) if (key.startsWith(prefix)) yield key;
    },
  };
}
