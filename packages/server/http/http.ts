import type { TObject } from "typebox";
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
    /** The route's row of kernel/rights.ts, set when the route is registered. */
    rights?: RouteRights;
    /** `ignored`: the session cookie is not read, since the answer would depend on it. */
    session?: "ignored";
    /** Origins that browsers may call from: configured ones (default), or any, without credentials. */
    cors?: "configured" | "any";
    /** Rejection of body values that PostgreSQL cannot store: before the route (default), or by it. */
    malformedBody?: "edge" | "route";
    /** `stream`: the route reads its body itself, without the request timeout. */
    body?: "stream";
    /** Requests logged at level info: all (default), or only failed ones; the others at debug. */
    log?: "all" | "failures";
    /** The content types that the route streams, for the OpenAPI document. */
    streamed?: readonly string[];
    /** The path and its parameters in the OpenAPI document, if the route is registered with a wildcard. */
    documented?: { url: string; params: TObject };
    /** Writes on a nearly full disk: rejected (default), or accepted, since they add almost nothing. */
    diskSpace?: "required" | "exempt";
  }
  interface FastifyInstance {
    /**
     * Set before the shutdown of a process whose successor already accepts connections: requests are answered as usual, each
     * as the last of its connection.
     */
    isHandedOver: boolean;
  }
  interface FastifyRequest {
    actor: Actor;
    /** `routeOptions` of the request, which Fastify creates again at each access. */
    route: FastifyRequest["routeOptions"];
    /** The cause of the failure is logged elsewhere, so the request is logged at debug only. */
    isLogged: boolean;
  }
}
