import { type DestinationStream, type Logger, destination, pino } from "pino";
import { toPrettyLine } from "./log-line.ts";

/** Bytes that a pipe takes at once, so that lines of several processes are not mixed (PIPE_BUF). */
const PIPE_BYTES = 4_096;

/**
 * Opens the service's log on standard output: JSON lines, or short readable lines when `format` is pretty, or auto
 * on a terminal. Requests are logged with their route's pattern only: a path may contain a token, and a query
 * string or a body anything.
 */
export function openLog(options: {
  level: string;
  format: "auto" | "pretty" | "json";
  output?: DestinationStream;
  /** Number of this worker process, in all of its lines. */
  worker?: number | undefined;
  /** The span in which a line is logged. */
  findTraceparent?: () => string | undefined;
}): Logger {
  const { findTraceparent } = options;
  const { worker } = options;
  const isShared = worker !== undefined;
  const shared = isShared ? { maxWrite: PIPE_BYTES } : {};
  const output = options.output ?? destination({ fd: process.stdout.fd, sync: false, ...shared });
  const stream = isPretty(options.format)
    ? { write: (line: string): void => output.write(toPrettyLine(line)) }
    : output;
  return pino(
    {
      level: options.level,
      base: isShared ? { worker } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      ...(findTraceparent ? { mixin: () => toTraceFields(findTraceparent()) } : {}),
      serializers: { req: toLoggedRequest, res: toLoggedReply, err: toLoggedError },
    },
    stream,
  );
}

/** The fields by which OpenTelemetry's log model names a trace. */
function toTraceFields(traceparent: string | undefined): object {
  const [, traceId, spanId] = traceparent?.split("-") ?? [];
  return traceId === undefined ? {} : { trace_id: traceId, span_id: spanId };
}

/** Whether the log is written for people. */
export function isPretty(format: "auto" | "pretty" | "json"): boolean {
  return format === "pretty" || (format === "auto" && process.stdout.isTTY);
}

function toLoggedRequest(req: { method: string; routeOptions?: { url?: string } }): object {
  return { method: req.method, route: req.routeOptions?.url ?? "none" };
}

function toLoggedReply(reply: { statusCode: number }): object {
  return { status: reply.statusCode };
}

/**
 * PostgreSQL puts values of a row or an input into `detail`, `where` and, for data exceptions (class 22), into the
 * message itself: none of these is logged.
 */
function toLoggedError(error: unknown): unknown {
  if (!isErrorLike(error)) return { type: typeof error };
  const fields = error as Error & Record<"code" | "routine" | "table" | "constraint", unknown>;
  const { code, routine, table, constraint } = fields;
  const hidden = typeof routine === "string" && String(code).startsWith("22");
  const message = hidden ? `database error in ${routine}` : error.message;
  const stack = hidden ? error.stack?.replace(/^[\s\S]*?(?=\n {4}at )/, "") : error.stack;
  const cause = error.cause === undefined ? undefined : toLoggedError(error.cause);
  return { type: error.name ?? "Error", message, code, routine, table, constraint, stack, cause };
}

/** pg-boss reports copies of errors, which are plain objects. */
function isErrorLike(error: unknown): error is Error {
  if (typeof error !== "object" || error === null) return false;
  return error instanceof Error || ("message" in error && typeof error.message === "string");
}
