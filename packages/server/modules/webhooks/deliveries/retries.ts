const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Delays after each failed attempt: wire section 6, "retried with back-off over three days". */
const delaysMs = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  DAY_MS,
  DAY_MS,
  DAY_MS,
];
/** Up to a tenth longer, so that deliveries which failed together are not retried together. */
const JITTER = 0.1;
const RETRY_AFTER_MS_MAX = DAY_MS;
/** Maximum pause of an endpoint that `Retry-After` can request. */
const LIMITED_MS_MAX = HOUR_MS;
const BACKOFF_MS = { min: SECOND_MS, max: 30 * SECOND_MS };

/** An endpoint that fails for this long is disabled. */
export const FAILING_MS_MAX = 5 * DAY_MS;

interface Failure {
  /** Attempts so far, with the one that failed. */
  attempts: number;
  createdAt: Date;
  now: Date;
  retryAfterMs?: number | undefined;
  /** Set if the response was 429 or 503 with `Retry-After`. */
  limitedMs?: number | undefined;
}

/**
 * When a delivery is retried; undefined: it is parked. `Retry-After` makes the retry later, by a day at most. A limit
 * of the receiver is no failure (`isFree`) until the delivery is five days old.
 */
export function toRetry(
  { attempts, createdAt, now, retryAfterMs = 0, limitedMs }: Failure,
  random: () => number = Math.random,
): { at: Date; isFree: boolean } | undefined {
  const toAt = (ms: number) => new Date(now.getTime() + ms);
  const jitter = 1 + random() * JITTER;
  if (limitedMs !== undefined && now.getTime() - createdAt.getTime() < FAILING_MS_MAX)
    return { at: toAt(Math.min(limitedMs, RETRY_AFTER_MS_MAX) * jitter), isFree: true };
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  const ownMs = delayMs * jitter;
  const atMs = Math.max(ownMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX));
  return { at: toAt(atMs), isFree: false };
}

/** `Retry-After` (RFC 9110 section 10.2.3: seconds, or a date) in milliseconds; undefined unless it is in the future. */
export function toRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header)
    ? Number(header) * SECOND_MS
    : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : undefined;
}

/** The circuit breaker: the backoff of an endpoint after a rate limit, or after batches that failed in a row. */
export function toBackoffMs({
  failures,
  limitedMs,
}: {
  failures: number;
  limitedMs: number;
}): number {
  if (limitedMs > 0) return Math.min(limitedMs, LIMITED_MS_MAX);
  return failures === 0
    ? 0
    : Math.min(BACKOFF_MS.max, BACKOFF_MS.min * 2 ** Math.min(failures - 1, 5));
}
