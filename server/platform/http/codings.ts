import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { type Coding, codings, encode } from "../encode.ts";

const CACHE_SIZE_BYTES_MAX = 32 * 1024 * 1024;

/** The coding that the caller wants most of those that are answered. */
export function preferCoding(request: Pick<FastifyRequest, "raw">): Coding {
  const preferred = new Negotiator(request.raw).encoding([...codings]);
  return codings.find((one) => one === preferred) ?? "identity";
}

/** Compresses what is asked for again and again: once for each entity tag and coding, however many ask. */
export interface Compressor {
  compress(object: { bytes: Buffer; etag: string }, coding: Coding): Promise<Buffer>;
}

/** Opens a compressor that keeps 32 MiB of what was asked for last. */
export function openCompressor(): Compressor {
  const cache = new LRUCache<string, Buffer, { bytes: Buffer; coding: Coding }>({
    maxSize: CACHE_SIZE_BYTES_MAX,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
    fetchMethod: (_key, _stale, { context }) => encode(context.bytes, context.coding),
  });
  return {
    async compress({ bytes, etag }, coding) {
      if (coding === "identity") return bytes;
      const context = { bytes, coding };
      return (await cache.fetch(`${coding} ${etag}`, { context })) ?? encode(bytes, coding);
    },
  };
}
