import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import Negotiator from "negotiator";
import { type Coding, codings } from "../../platform/text/encode.ts";

type CodedRequest = Pick<FastifyRequest, "raw">;

/** Values of `Accept-Encoding` that are remembered: browsers send few. */
const HEADERS_MAX = 100;

/** The supported content coding that `Accept-Encoding` prefers. */
export function preferCoding(request: CodedRequest): Coding {
  return toCoding(readHeader(request));
}

/** Opens `preferCoding` for frequent requests, which remembers the coding of each header. */
export function openCodings(): typeof preferCoding {
  const known = new LRUCache<string, Coding>({ max: HEADERS_MAX, memoMethod: toCoding });
  return (request) => known.memo(readHeader(request));
}

function readHeader({ raw }: CodedRequest): string {
  return raw.headers["accept-encoding"] ?? "";
}

function toCoding(header: string): Coding {
  const preferred = new Negotiator({ headers: { "accept-encoding": header } }).encoding([
    ...codings,
  ]);
  return codings.find((one) => one === preferred) ?? "identity";
}
