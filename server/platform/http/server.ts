import { randomUUID } from "node:crypto";
import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import type { Config } from "../../config.ts";
import { findMalformed } from "../wellformed.ts";
import { Fault, assertNoFaults } from "../errors.ts";
import { answerClientError } from "./client-errors.ts";
import { registerCors } from "./cors.ts";
import { answerFailure } from "./failures.ts";
import type { Http } from "./http.ts";
import { compileValidators, registerJsonBodies } from "./validation.ts";

const BODY_BYTES_MAX = 1024 * 1024;
const requestIdPattern = /^[\w.:-]{1,64}$/;

/**
 * Makes the HTTP server with everything that routes share (wire section 0): request ids, problems,
 * CORS, validation, bounds in size and time, one log line for each request. Modules add routes.
 */
export function createHttp(config: Config, log: FastifyBaseLogger): Http {
  const http: Http = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (req) => toRequestId(req.headers["x-request-id"]),
    trustProxy: config.http.trustProxy,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: 60_000,
    connectionTimeout: 90_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    // Refused below, with a whole problem.
    return503OnClosing: false,
    rewriteUrl: (req) => toVersionedUrl(req.url ?? "/"),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: false,
      maxParamLength: 4_096,
    },
    clientErrorHandler: answerClientError,
    // An address that cannot be decoded: no hook runs for it.
    frameworkErrors: (error, req, reply) =>
      void answerFailure(error, req, reply.headers(headersOf(req))),
  });
  http.setValidatorCompiler(compileValidators());
  registerJsonBodies(http);
  registerCors(http, config.http.corsOrigins);
  http.setErrorHandler(answerFailure);
  http.setNotFoundHandler((req) => {
    throw new Fault(
      "not-found",
      `Nothing answers ${req.method} ${req.url.split("?", 1)[0] ?? ""}.`,
    );
  });
  let isStopping = false;
  http.addHook("preClose", async () => {
    isStopping = true;
  });
  http.addHook("onRequest", async (req, reply) => {
    void reply.headers(headersOf(req));
    if (isStopping)
      throw new Fault("busy", "The service is shutting down.", { retryAfterSeconds: 5 });
  });
  // A connection that is kept alive would hold the end up.
  http.addHook("onSend", async (_req, reply) => {
    if (isStopping) void reply.header("connection", "close");
  });
  http.addHook("preValidation", async (req) => {
    const inQuery = findMalformed(req.query).map(({ path, message }) => ({
      path: `?${path.slice(1)}`,
      message,
    }));
    const inBody = req.routeOptions.config.malformedBody === "route" ? [] : findMalformed(req.body);
    assertNoFaults([...inBody, ...findMalformed(req.params), ...inQuery]);
  });
  http.addHook("onResponse", async (req, reply) => {
    req.log.info({ req, res: reply, ms: Math.round(reply.elapsedTime * 10) / 10 }, "request");
  });
  return http;
}

/** The headers of every answer. */
function headersOf(req: { id: string }): Record<string, string> {
  return { "x-request-id": req.id, "x-content-type-options": "nosniff" };
}

function toRequestId(given: string | string[] | undefined): string {
  return typeof given === "string" && requestIdPattern.test(given) ? given : randomUUID();
}

/** The specification writes vault paths without the version in places: both forms answer. */
function toVersionedUrl(url: string): string {
  return url === "/vault" || url.startsWith("/vault/") ? `/v1${url}` : url;
}
