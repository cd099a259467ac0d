import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { Fault, type FieldFault, Pending } from "../../platform/errors.ts";
import { isDatabaseUnavailable } from "../../platform/db/open.ts";
import { StorageError } from "../../platform/objects/objects.ts";
import { PaymentsError } from "../../platform/payments/payments.ts";
import { toFieldFaults } from "../../kernel/schemas.ts";
import { answerPending } from "./pending.ts";
import { type ProblemName, type ProblemOut, problems } from "./problems.ts";
import { hrefOf, paths } from "@avow/contract/urls";

const BUSY_LOG_INTERVAL_MS = 1_000;

/** Fastify's own errors about bodies, as our problems. */
const problemOfCode: Record<string, "too-large" | "unsupported-type"> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "too-large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupported-type",
  FST_ERR_CTP_EMPTY_TYPE: "unsupported-type",
};

function faultOfFramework(error: FastifyError, req: FastifyRequest): Fault | undefined {
  if (error.validation) {
    const faults = toLocatedFaults(error);
    const [first] = faults;
    return new Fault("invalid", first ? `${first.path}: ${first.message}` : error.message, {
      faults,
    });
  }
  if (error.statusCode === undefined || error.statusCode >= 500) return undefined;
  // Fastify's message contains the address, which may contain a token.
  if (error.code === "FST_ERR_BAD_URL") return new Fault("invalid", "The address is not valid.");
  const named = problemOfCode[error.code];
  if (named) return new Fault(named, toBodyDetail(named, req));
  return error.statusCode === 404
    ? new Fault("not-found", error.message)
    : new Fault("invalid", error.message);
}

/** The detail names what the route accepts. */
function toBodyDetail(
  name: "too-large" | "unsupported-type",
  { method, routeOptions }: FastifyRequest,
): string {
  if (name === "too-large") return `The body has more than ${routeOptions.bodyLimit} bytes.`;
  const json = [
    "application/json",
    ...(method === "PATCH" ? ["application/merge-patch+json"] : []),
  ];
  const types = routeOptions.schema?.consumes ?? json;
  return `Send the body as ${types.join(" or ")}, with that Content-Type.`;
}

/** Paths of query parameters are `?name`, all others JSON pointers. */
function toLocatedFaults(error: FastifyError): FieldFault[] {
  const faults = toFieldFaults(error.validation ?? []);
  if (error.validationContext !== "querystring") return faults;
  return faults.map(({ path, message }) => ({ path: `?${path.slice(1)}`, message }));
}

function faultOf(error: unknown, req: FastifyRequest): Fault | undefined {
  if (error instanceof Fault) return error;
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code.startsWith("FST_") || "validation" in error)
    return faultOfFramework(error as FastifyError, req);
  // The client disconnected during its request, so this answer is not read.
  if (code === "ECONNRESET" && error.message === "aborted")
    return new Fault("invalid", "The request was cut off.");
  if (isDatabaseUnavailable(error))
    return new Fault("busy", "The database does not respond at the moment.", { cause: error });
  if (error instanceof StorageError && error.isUnavailable)
    return new Fault("busy", "The file storage does not respond at the moment.", {
      cause: error,
    });
  if (error instanceof PaymentsError && error.isUnavailable)
    return new Fault("busy", "The payment provider does not respond at the moment.", {
      cause: error,
    });
  return undefined;
}

type AnswerFailure = (error: unknown, req: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Creates the error handler, which answers a failed request with a problem (wire section 0), and `Pending` with 202. An
 * unexpected error is logged in full and answered as "internal", without its message. Failures of the kind busy are
 * logged once a second: under load more would fill the log and the disk.
 */
export function createFailureAnswers(publicUrl: string): AnswerFailure {
  const busy = { loggedAt: Number.NEGATIVE_INFINITY, unlogged: 0 };
  const logBusy = (fault: Fault, req: FastifyRequest): void => {
    const now = performance.now();
    req.isLogged = fault.isLogged || now - busy.loggedAt < BUSY_LOG_INTERVAL_MS;
    if (fault.isLogged) return;
    if (req.isLogged) busy.unlogged += 1;
    else {
      req.log.warn({ err: fault.cause, unlogged: busy.unlogged }, fault.message);
      Object.assign(busy, { loggedAt: now, unlogged: 0 });
    }
  };
  return (error, req, reply) => {
    if (error instanceof Pending) return answerPending(error, { req, reply, publicUrl });
    const fault = faultOf(error, req);
    if (!fault) req.log.error({ err: error }, "request failed");
    else if (fault.kind === "busy") logBusy(fault, req);
    return answerFault(fault, req, reply);
  };
}

function answerFault(
  fault: Fault | undefined,
  req: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const name: ProblemName = fault?.kind ?? "internal";
  const { status } = problems[name];
  const retryAfter = fault?.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) void reply.header("retry-after", String(retryAfter));
  if (name === "unauthenticated") void reply.header("www-authenticate", 'Bearer realm="avow"');
  return reply
    .code(status)
    .type("application/problem+json; charset=utf-8")
    .header("cache-control", "no-store")
    .serializer(JSON.stringify)
    .send(toProblem(name, fault, req.url));
}

/** The body of a problem; without `fault` where its message is internal. */
export function toProblem(name: ProblemName, fault: Fault | undefined, url: string): ProblemOut {
  const { status, title } = problems[name];
  const detail =
    fault?.message ?? `${title}. Report the request id of this answer to the operator.`;
  const errors = fault?.faults ?? [];
  return {
    type: hrefOf("", paths.problem, { name }),
    title,
    status,
    detail,
    message: detail,
    instance: url.split("?", 1)[0] ?? url,
    ...(errors.length > 0 ? { errors } : {}),
    ...fault?.members,
  };
}
