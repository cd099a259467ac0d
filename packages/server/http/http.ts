import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { RouteRights } from "../kernel/rights.ts";
import type { Actor } from "../kernel/actor.ts";

/** The HTTP server that modules register their routes on. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route's rights: its row of kernel/rights.ts, set when the route is registered. */
    rights?: RouteRights;
    /** `ignored`: a session's cookie is not looked at, since the answer would be another one with it. */
    session?: "ignored";
    /** Which origins browsers may call from: configured ones (the default), or any, without credentials. */
    cors?: "configured" | "any";
    /** Who refuses values that PostgreSQL cannot keep in a body: the edge (the default), or the route itself. */
    malformedBody?: "edge" | "route";
    /** `stream`: the route reads its body itself, for as long as more of it comes. */
    body?: "stream";
    /** Which requests are told at info: all (the default), or only those that fail; the others at debug. */
    log?: "all" | "failures";
    /** The content types that the route streams, for the OpenAPI document. */
    streamed?: readonly string[];
    /** Writes while the disk is nearly full: refused (the default), or taken, since they add next to nothing. */
    room?: "needed" | "spared";
  }
  interface FastifyRequest {
    actor: Actor;
    /** The log tells elsewhere, once, why such requests fail. */
    isTold: boolean;
  }
}
