import type { FastifyReply, FastifyRequest } from "fastify";
import { toEtags } from "../../kernel/etag.ts";

/** Sets the `ETag`. True when the client already has that version, to be answered with 304 (RFC 9110, 13.1.2). */
export function isUnchanged(req: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  void reply.header("etag", etag);
  const known = toEtags(req.headers["if-none-match"]);
  return known.includes(etag) || known.includes("*");
}
