/** One thing wrong with what came in: where (a JSON pointer, or `?name` for a query parameter) and why. */
export interface FieldFault {
  path: string;
  message: string;
}

/** What can be wrong, in the words of wire section 0; the HTTP edge gives each its status. */
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
  | "stale"
  | "too-large"
  | "unsupported-type"
  | "impossible"
  | "too-many"
  | "busy";

interface FaultOptions {
  faults?: FieldFault[];
  retryAfterSeconds?: number;
  /** The log tells it once, elsewhere, and not for each request that meets it. */
  isTold?: boolean;
  cause?: unknown;
}

/** An error that is the caller's to mend (or to wait for): its message is shown to them. */
export class Fault extends Error {
  readonly kind: FaultKind;
  readonly faults: FieldFault[];
  readonly retryAfterSeconds: number | undefined;
  readonly isTold: boolean;

  constructor(kind: FaultKind, detail: string, options: FaultOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = "Fault";
    this.kind = kind;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.isTold = options.isTold ?? false;
  }
}

/** Throws one `Fault` that lists all of `faults`; does nothing when there are none. */
export function assertNoFaults(faults: FieldFault[], kind: FaultKind = "invalid"): void {
  const [first] = faults;
  if (!first) return;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  throw new Fault(kind, `${first.path}: ${first.message}${more}`, { faults });
}

/** The code of an error of PostgreSQL (its SQLSTATE), of the system or of Node; '' where it has none. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}
