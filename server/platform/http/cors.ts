import cors from "@fastify/cors";
import type { FastifyRequest } from "fastify";
import type { Http } from "./http.ts";

const exposed = [
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Retry-After",
  "X-Last-Page",
  "X-Page",
  "X-Per-Page",
  "X-Request-Id",
  "X-Total-Count",
];

/**
 * CORS (wire section 0): routes with `cors: "any"` answer every origin without credentials, the
 * others the configured origins. To be registered before any route.
 */
export function registerCors(http: Http, origins: readonly string[]): void {
  const open: { method: string; pattern: RegExp }[] = [];
  http.addHook("onRoute", (route) => {
    if (route.config?.cors !== "any") return;
    const path = route.url.replace(/:[a-zA-Z]+/g, "[^/]+").replace("*", ".*");
    const pattern = new RegExp(`^${path}/?$`);
    for (const method of [route.method].flat()) open.push({ method, pattern });
  });
  const isOpen = (req: FastifyRequest): boolean => {
    const path = req.url.split("?", 1)[0] ?? "";
    const method =
      req.method === "OPTIONS" ? req.headers["access-control-request-method"] : req.method;
    return open.some((route) => route.method === method && route.pattern.test(path));
  };
  void http.register(cors, {
    hook: "onRequest",
    delegator: (req, done) => {
      if (req.headers.origin === undefined) return done(null, { origin: false });
      const any = isOpen(req);
      const allowed = any ? "*" : origins.includes(req.headers.origin) && req.headers.origin;
      return done(null, {
        origin: allowed,
        methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        exposedHeaders: exposed,
        maxAge: 86_400,
        strictPreflight: false,
      });
    },
  });
}
