import { randomUUID } from "node:crypto";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Config } from "../config/config.ts";
import { findMalformed, isWellformed } from "../platform/text/wellformed.ts";
import { Fault, type FieldFault, assertNoFaults } from "../platform/errors.ts";
import type { Tracing } from "../platform/telemetry/tracing.ts";
import type { Peers } from "../platform/workers/worker.ts";
import { drainAtClose } from "./connections.ts";
import { registerCors } from "./cors.ts";
import { createFailureAnswers } from "./errors/failures.ts";
import type { Http } from "./http.ts";
import { toProxyTrust } from "./proxy-trust.ts";
import { registerTracing } from "./tracing.ts";
import { openUploads } from "./uploads.ts";
import {
  compileSerializers,
  compileValidators,
  registerEmptyBodies,
  registerJsonBodies,
} from "./validation.ts";

const BODY_BYTES_MAX = 1024 * 1024;
/** A year. Without includeSubDomains, since other hosts below the name are not this service's. */
const HSTS = "max-age=31536000";
const requestIdPattern = /^[\w.:-]{1,64}$/;

/**
 * Creates the HTTP server with everything that routes share (wire section 0): request ids, problems, CORS,
 * validation, limits of size and time, and one log line for each request. Modules add routes.
 */
export function createHttp(
  config: Config,
  log: FastifyBaseLogger,
  { tracing, peers }: { tracing?: Tracing | undefined; peers?: Peers | undefined } = {},
): Http {
  const uploads = openUploads();
  const answerFailure = createFailureAnswers(config.http.publicUrl);
  const shared = toSharedHeaders(config.http);
  const setSharedHeaders = (req: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header("x-request-id", req.id).headers(shared);
  const http: Http = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (req) => toRequestId(req.headers["x-request-id"]),
    trustProxy: toProxyTrust(config.http.trustProxy, log),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: 60_000,
    connectionTimeout: 90_000,
    keepAliveTimeout: 72_000,
    // Rejected by a hook below, with a problem.
    return503OnClosing: false,
    rewriteUrl: (req) => toVersionedUrl(req.url ?? "/"),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: false,
      maxParamLength: 4_096,
    },
    clientErrorHandler: uploads.answerClientError,
    // Addresses that cannot be decoded, for which no hook runs.
    frameworkErrors: (error, req, reply) =>
      void answerFailure(error, req, setSharedHeaders(req, reply)),
  });
  registerTracing(http, tracing, config.http);
  http.setValidatorCompiler(compileValidators());
  http.setSerializerCompiler(compileSerializers());
  registerJsonBodies(http);
  registerEmptyBodies(http);
  const setCorsHeaders = registerCors(http, config.http.corsOrigins);
  uploads.register(http);
  http.setErrorHandler(answerFailure);
  http.setNotFoundHandler((req) => {
    throw new Fault(
      "not-found",
      `There is no route ${req.method} ${req.url.split("?", 1)[0] ?? ""}.`,
    );
  });
  const draining = drainAtClose(http, peers?.awaitPortClosed);
  http.decorateRequest("route");
  http.decorateRequest("isLogged", false);
  // One hook of each kind, with a callback: further hooks, or a promise, would cost every request more than their work.
  http.addHook("onRequest", (req, reply, done) => {
    req.route = req.routeOptions;
    draining.noteRequest(req.raw);
    setCorsHeaders(req, reply);
    void setSharedHeaders(req, reply);
    if (!draining.isRejecting()) return done();
    const stopping = new Fault("busy", "The service is shutting down.", { retryAfterSeconds: 5 });
    draining.awaitPortClosed(() => done(stopping));
  });
  http.addHook("preParsing", checkBodyHeaders);
  http.addHook("preValidation", rejectMalformed);
  http.addHook("onSend", (req, reply, payload, done) => {
    // Closing a connection while the rest of its request is arriving would reset it.
    if (draining.isStopping() && req.raw.complete) void reply.header("connection", "close");
    if (reply.statusCode !== 304) return done(null, payload);
    removeContentHeaders(reply);
    done(null, null);
  });
  http.addHook("onResponse", (req, reply, done) => {
    draining.noteResponse(req.raw);
    const isSuccess = reply.statusCode < 400;
    const isQuiet = req.isLogged || (req.route.config.log === "failures" && isSuccess);
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    req.log[isQuiet ? "debug" : "info"]({ req, res: reply, ms }, "request");
    done();
  });
  return http;
}

/** A 304 describes no content (RFC 9110, 15.4.5; wire section 9). */
function removeContentHeaders(reply: FastifyReply): void {
  for (const name of ["type", "length", "encoding", "language", "disposition"])
    void reply.removeHeader(`content-${name}`);
}

/**
 * Rejects compressed bodies, and takes an empty one of any type for none, except for routes that read their body
 * themselves.
 */
function checkBodyHeaders(
  req: FastifyRequest,
  reply: FastifyReply,
  _body: unknown,
  done: (error?: Error) => void,
): void {
  if (req.is404 || req.route.config.body === "stream") return done();
  if (req.headers["content-length"] === "0") delete req.headers["content-type"];
  const encoding = req.headers["content-encoding"];
  if (encoding === undefined) return done();
  if (/^(identity)?$/i.test(encoding.trim())) return done();
  // RFC 9110, 15.5.16.
  void reply.header("accept-encoding", "identity");
  done(new Fault("unsupported-type", "Send the body without Content-Encoding."));
}

/** Rejects values that PostgreSQL cannot store, and a body that is null. */
function rejectMalformed(req: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const body = req.route.config.malformedBody === "route" ? undefined : req.body;
  const isSound =
    req.body !== null &&
    isWellformed(body) &&
    isWellformed(req.params) &&
    isWellformed(req.query) &&
    // Nothing to decode.
    !req.url.includes("%");
  if (!isSound) assertNoFaults(listMalformed(req, body));
  done();
}

function listMalformed(req: FastifyRequest, body: unknown): FieldFault[] {
  const inQuery = findMalformed(req.query).map(({ path, message }) => ({
    path: `?${path.slice(1)}`,
    message,
  }));
  // A missing body is validated as null, so null itself has to be rejected before.
  const isNull = req.body === null ? [{ path: "", message: "must not be null" }] : [];
  return [
    ...isNull,
    ...findMalformed(body),
    ...findMalformed(req.params),
    ...inQuery,
    ...findUndecoded(req),
  ];
}

/** Query parameters that are not percent-encoded UTF-8, which the query parser would silently replace. */
function findUndecoded({ raw, route }: FastifyRequest): FieldFault[] {
  const search = raw.url?.split("?").slice(1).join("?") ?? "";
  if (!search.includes("%") || !route.schema?.querystring) return [];
  return search.split("&").flatMap((part) => {
    if (isDecodable(part)) return [];
    const [name = ""] = part.split("=", 1);
    const path = `?${isDecodable(name) ? decodeURIComponent(name) : ""}`;
    return [{ path, message: "is not percent-encoded UTF-8" }];
  });
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Headers of every response. Addresses may contain tokens, so none is sent in `Referer`. */
function toSharedHeaders({ publicUrl }: Config["http"]): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": HSTS } : {}),
  };
}

function toRequestId(given: string | string[] | undefined): string {
  return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
}

/** The specification writes some vault paths without the version: both forms are routed. */
function toVersionedUrl(url: string): string {
  return url === "/vault" || url.startsWith("/vault/") ? `/v1${url}` : url;
}
