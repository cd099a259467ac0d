// Shared by the requests to witnesses and to time-stamping authorities.

const PAUSE_SECONDS_MAX = 300;

/** The backoff after a number of consecutive failures: 2, 4, 8 … 300 seconds. */
export function toBackOffSeconds(failures: number): number {
  return Math.min(PAUSE_SECONDS_MAX, 2 ** Math.min(failures, 10));
}

/** The reason of a failed request, for the service's log. */
export function toReason(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return "request failed";
  if (error.name === "TimeoutError") return `timed out after ${timeoutMs / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error && "code" in cause
    ? `unreachable (${String(cause.code)})`
    : error.message;
}
