interface Told {
  status?: number;
  /** What happened, in English. */
  detail?: string;
  errors?: readonly { path: string; message: string }[] | undefined;
  requestId?: string | undefined;
  /** Seconds; NaN where nothing is said. */
  retryAfter?: number;
  cause?: unknown;
}

/** Why a call has no result: a problem of the service (RFC 9457) by its kind, or `offline`. */
export class Problem extends Error {
  override name = "Problem";
  readonly kind: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly { path: string; message: string }[];
  readonly requestId: string | undefined;
  readonly retryAfter: number;

  constructor(kind: string, told: Told = {}) {
    super(told.detail ?? kind, { cause: told.cause });
    this.kind = kind;
    this.status = told.status ?? 0;
    this.detail = told.detail ?? "";
    this.errors = told.errors ?? [];
    this.requestId = told.requestId;
    this.retryAfter = told.retryAfter ?? Number.NaN;
  }
}

/** Anything thrown as a problem: what is none is a defect of the app, told as one and logged. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  reportError(thrown);
  return new Problem("internal", { cause: thrown });
}
