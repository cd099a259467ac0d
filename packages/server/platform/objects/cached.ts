import { LRUCache } from "lru-cache";
import { listCodedKeys } from "./coded.ts";
import type { ObjectFacts, Objects } from "./objects.ts";

/** Time after which an object in memory is read from storage again, because other nodes may have changed it. */
export const CACHED_MS = 1_000;
/** Larger objects are not kept in memory. */
const OBJECT_BYTES_MAX = 1024 * 1024;
/** An estimate of what an object takes beside its bytes. */
const ENTRY_BYTES = 1_024;

/** An object in memory. */
interface CachedObject extends ObjectFacts {
  bytes: Buffer;
}

/** Storage whose small objects are also read from memory. */
export interface CachedObjects {
  /** The storage. Its changes through this are read from memory at once, those of other nodes within `CACHED_MS`. */
  objects: Objects;
  /**
   * Reads the first of these keys that exists, of which the last is the plain one (see `putCoded`). `uncached`: it has to be
   * read from storage, because it is large or changes have to be visible at once (`no-cache`).
   */
  readFirst: (keys: readonly string[]) => Promise<CachedObject | "uncached" | undefined>;
}

/**
 * Opens a cache of at most `bytesMax` bytes before storage; 0 caches nothing. Missing objects are not cached. `nowMs` is a
 * monotonic clock.
 */
export function openCachedObjects(
  objects: Objects,
  bytesMax: number,
  nowMs = () => performance.now(),
): CachedObjects {
  const cache = new LRUCache<string, CachedObject | "uncached">({
    maxSize: Math.max(bytesMax, 1),
    sizeCalculation: (entry) => ENTRY_BYTES + (entry === "uncached" ? 0 : entry.bytes.length),
    ttl: CACHED_MS,
    // Otherwise a timer would be set for each reading of the clock.
    ttlResolution: 0,
    perf: { now: nowMs },
  });
  const loading = new Map<string, ReturnType<CachedObjects["readFirst"]>>();
  const load = (name: string, keys: readonly string[]): ReturnType<CachedObjects["readFirst"]> => {
    const started = readFirstOf(objects, keys);
    loading.set(name, started);
    // An object that was replaced while it was read may be the older version, and is not kept.
    const isCurrent = () => loading.get(name) === started && loading.delete(name);
    return started.then(
      (entry) => {
        if (isCurrent() && entry !== undefined) cache.set(name, entry);
        return entry;
      },
      (error: unknown) => {
        isCurrent();
        throw error;
      },
    );
  };
  const forget = (key: string): void => {
    const plain = key.replace(/\.(?:br|gz)$/, "");
    const coded = listCodedKeys(plain);
    for (const name of [...coded, ...coded.map((one) => toName([one, plain]))]) {
      cache.delete(name);
      loading.delete(name);
    }
  };
  const forgetAfter = async (key: string, change: Promise<void>): Promise<void> => {
    try {
      await change;
    } finally {
      forget(key);
    }
  };
  return {
    objects: {
      ...objects,
      putObject: (object) => forgetAfter(object.key, objects.putObject(object)),
      putFile: (file) => forgetAfter(file.key, objects.putFile(file)),
      deleteObject: (key) => forgetAfter(key, objects.deleteObject(key)),
    },
    async readFirst(keys) {
      if (bytesMax === 0) return "uncached";
      const name = toName(keys);
      return cache.get(name) ?? loading.get(name) ?? load(name, keys);
    },
  };
}

function toName(keys: readonly string[]): string {
  return keys.join(" ");
}

async function readFirstOf(
  objects: Pick<Objects, "openObject">,
  keys: readonly string[],
): ReturnType<CachedObjects["readFirst"]> {
  for (const key of keys) {
    const opened = await objects.openObject(key);
    if (!opened) continue;
    const { body, ...facts } = opened;
    if (facts.sizeBytes <= OBJECT_BYTES_MAX && !/\bno-cache\b/.test(facts.cacheControl))
      return { ...facts, bytes: Buffer.concat(await body.toArray()) };
    body.destroy();
    return "uncached";
  }
  return undefined;
}
