import cors from "@fastify/cors";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Http } from "./http.ts";

const exposed = [
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Retry-After",
  "X-Changes",
  "X-Export-Estimate",
  "X-Export-Id",
  "X-Last-Page",
  "X-Page",
  "X-Per-Page",
  "X-Request-Id",
  "X-Total-Count",
].join(", ");

/** Sets the CORS headers of a response. */
type SetCorsHeaders = (req: FastifyRequest, reply: FastifyReply) => void;

/**
 * CORS (wire section 0): routes with `cors: "any"` allow every origin without credentials, the others the
 * configured origins. Register it before any route. It answers preflights; the returned function is for all other
 * requests.
 */
export function registerCors(http: Http, origins: readonly string[]): SetCorsHeaders {
  const open: { method: string; pattern: RegExp }[] = [];
  http.addHook("onRoute", (route) => {
    if (route.config?.cors !== "any") return;
    const path = route.url.replace(/:[a-zA-Z]+/g, "[^/]+").replace("*", ".*");
    const pattern = new RegExp(`^${path}/?$`);
    for (const method of [route.method].flat()) open.push({ method, pattern });
  });
  const isOpen = (url: string, method: string | undefined): boolean => {
    const path = url.split("?", 1)[0] ?? "";
    return open.some((route) => route.method === method && route.pattern.test(path));
  };
  const findAllowedOrigin = (origin: string, any: boolean): string | undefined =>
    any ? "*" : origins.includes(origin) ? origin : undefined;
  void http.register(async (preflights) => {
    await preflights.register(cors, {
      hook: "onRequest",
      delegator: (req, done) => {
        const { origin, "access-control-request-method": method } = req.headers;
        const allowed =
          origin !== undefined && (findAllowedOrigin(origin, isOpen(req.url, method)) ?? false);
        done(null, {
          origin: allowed,
          methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
          exposedHeaders: exposed,
          maxAge: 86_400,
          strictPreflight: false,
        });
      },
    });
  });
  return (req, reply) => {
    if (req.method === "OPTIONS") return;
    void reply.header("vary", "Origin");
    const { origin } = req.headers;
    if (origin === undefined) return;
    const any = req.is404 ? isOpen(req.url, req.method) : req.route.config.cors === "any";
    const allowed = findAllowedOrigin(origin, any);
    if (allowed !== undefined)
      void reply
        .header("access-control-allow-origin", allowed)
        .header("access-control-expose-headers", exposed);
  };
}
