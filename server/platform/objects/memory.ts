import { createHash } from "node:crypto";
import { assertObjectKey } from "./objects.ts";
import type { Objects, StoredObject } from "./objects.ts";

/** Opens storage that lives as long as the process: for tests. */
export function openMemoryObjects(): Objects {
  const objects = new Map<string, StoredObject>();
  return {
    async putObject({ key, bytes, contentType, cacheControl }) {
      assertObjectKey(key);
      const etag = `"${createHash("sha256").update(bytes).digest("hex")}"`;
      objects.set(key, { bytes: Buffer.from(bytes), contentType, cacheControl, etag });
    },
    async findObject(key) {
      assertObjectKey(key);
      const object = objects.get(key);
      return object && { ...object, bytes: Buffer.from(object.bytes) };
    },
    async deleteObject(key) {
      assertObjectKey(key);
      objects.delete(key);
    },
  };
}
