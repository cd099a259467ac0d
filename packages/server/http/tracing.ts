import type { FastifyReply, FastifyRequest } from "fastify";
import type { Span, Tracing } from "../platform/telemetry/tracing.ts";
import type { Http } from "./http.ts";

const traceparentLength = 55;

/**
 * Opens a span for each request, with its route's pattern: a path may contain a token. Register it before every other
 * hook, so that their log lines carry the trace. Health checks and metrics, which are not logged either, have none.
 */
export function registerTracing(
  http: Http,
  tracing: Tracing | undefined,
  { propagation }: { propagation: "tracecontext" | "none" },
): void {
  if (!tracing) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  const enter = (req: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const span = spans.get(req);
    if (span) span.run(done);
    else done();
  };
  http.addHook("onRequest", (req, _reply, done) => {
    if (req.routeOptions.logLevel === "warn") return done();
    const route = req.routeOptions.url;
    const cause = propagation === "none" ? undefined : findTraceparent(req);
    const span = tracing.startSpan(route === undefined ? req.method : `${req.method} ${route}`, {
      kind: "server",
      causes: cause === undefined ? [] : [cause],
      attributes: {
        "http.request.method": req.method,
        ...(route === undefined ? {} : { "http.route": route }),
      },
    });
    spans.set(req, span);
    span.run(done);
  });
  // The body is read in the context of the connection, not of the request.
  http.addHook("preValidation", enter);
  http.addHook("onResponse", (req, { statusCode }, done) => {
    const span = spans.get(req);
    if (!span) return done();
    span.setAttributes({ "http.response.status_code": statusCode });
    span.end(statusCode >= 500 ? new ServerError() : undefined);
    span.run(done);
  });
}

/** Names the failure of a span. */
class ServerError extends Error {
  override readonly name = "ServerError";
}

/**
 * The trace of a trusted proxy, which has forwarded an address too. Anybody else could choose the ids of our traces, or
 * have all of their requests sampled.
 */
function findTraceparent({ headers, ips = [] }: FastifyRequest): string | undefined {
  const { traceparent } = headers;
  const isProxied = ips.length > 1;
  const isSane = typeof traceparent === "string" && traceparent.length === traceparentLength;
  return isProxied && isSane ? traceparent : undefined;
}
