/** One error of a request: its path (a JSON pointer, or `?name` of a query parameter) and a message. */
export interface FieldFault {
  path: string;
  message: string;
}

/** The kinds of errors of wire section 0; `http` maps each to its status. */
export type FaultKind =
  | "invalid"
  | "unauthenticated"
  | "wrong-credentials"
  | "code-needed"
  | "wrong-code"
  | "confirmation-needed"
  | "factor-needed"
  | "account-disabled"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "approval-needed"
  | "stale"
  | "too-large"
  | "unsupported-type"
  | "impossible"
  | "too-many"
  | "busy";

interface FaultOptions {
  faults?: FieldFault[];
  retryAfterSeconds?: number;
  /** Logged once elsewhere, and not for each request that fails by it. */
  isLogged?: boolean;
  /** Members of the problem beside those that every problem has (RFC 9457, section 3.2). */
  members?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/** An error that the client can fix or retry. Its message is returned to the client. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly faults: FieldFault[];
  readonly retryAfterSeconds: number | undefined;
  readonly isLogged: boolean;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(kind: FaultKind, detail: string, options: FaultOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = "Fault";
    this.kind = kind;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isLogged = options.isLogged ?? false;
    this.members = options.members ?? {};
  }
}

/**
 * A requested file is still being made, so the same request succeeds later: answered with 202, which is no error (wire
 * section 9). Its message is returned to the client.
 */
export class Pending extends Error {
  override name = "Pending";
  readonly retryAfterSeconds: number;

  constructor(detail: string, retryAfterSeconds: number) {
    super(detail);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Throws one `Fault` that lists all of `faults`, if there are any. */
export function assertNoFaults(faults: FieldFault[], kind: FaultKind = "invalid"): void {
  const [first] = faults;
  if (!first) return;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  throw new Fault(kind, `${first.path}: ${first.message}${more}`, { faults });
}

/** Throws a `Fault` about one field. */
export function rejectField(path: string, message: string, kind: FaultKind = "impossible"): never {
  throw new Fault(kind, `${path}: ${message}`, { faults: [{ path, message }] });
}

const UNIQUE_VIOLATION = "23505";

/**
 * The code of an error of PostgreSQL (SQLSTATE), of the system or of Node; '' without one. Citus reports a row that a
 * worker rejects without its code; such a row nearly always exists already.
 */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  const isRejectedRow = "routine" in error && error.routine === "ReportCopyError";
  if (isRejectedRow && error.code === "XX000") return UNIQUE_VIOLATION;
  return typeof error.code === "string" ? error.code : "";
}
