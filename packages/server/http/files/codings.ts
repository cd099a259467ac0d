import type { FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { type Coding, codings } from "../../platform/text/encode.ts";

/** The supported content coding that `Accept-Encoding` prefers. */
export function preferCoding(request: Pick<FastifyRequest, "raw">): Coding {
  const preferred = new Negotiator(request.raw).encoding([...codings]);
  return codings.find((one) => one === preferred) ?? "identity";
}
