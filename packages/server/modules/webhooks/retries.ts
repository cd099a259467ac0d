const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long after each failure a delivery is tried again: wire section 6, "retried with back-off over three days". */
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
/** What failed together does not come back together: up to a tenth longer. */
const JITTER = 0.1;
const RETRY_AFTER_MS_MAX = DAY_MS;

/** A webhook that fails for so long is disabled, and for so long what it asks for uses no try. */
export const FAILING_MS_MAX = 5 * DAY_MS;

/**
 * When a delivery is tried next that was answered with "later" (429 or 503, with `Retry-After`): just then, up to a
 * tenth later, a day at most. Undefined for one that is older than five days: it fails like any other.
 */
export function toLaterAt(
  createdAt: Date,
  { now, laterMs, random = Math.random }: { now: Date; laterMs: number; random?: () => number },
): Date | undefined {
  if (now.getTime() - createdAt.getTime() >= FAILING_MS_MAX) return undefined;
  return new Date(now.getTime() + Math.min(laterMs, RETRY_AFTER_MS_MAX) * (1 + random() * JITTER));
}

/**
 * When a delivery is tried next, after `attempts` that failed; undefined: not any more. What the receiver
 * asks for (`retryAfterMs`) makes it later, by a day at most, never sooner.
 */
export function toNextAt(
  attempts: number,
  {
    now,
    retryAfterMs = 0,
    random = Math.random,
  }: {
    now: Date;
    retryAfterMs?: number | undefined;
    random?: () => number;
  },
): Date | undefined {
  const delayMs = delaysMs[attempts - 1];
  if (delayMs === undefined) return undefined;
  const ownMs = delayMs * (1 + random() * JITTER);
  return new Date(now.getTime() + Math.max(ownMs, Math.min(retryAfterMs, RETRY_AFTER_MS_MAX)));
}

/** What `Retry-After` says (RFC 9110 section 10.2.3: seconds, or a date), in milliseconds; undefined for nothing useful. */
export function toRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header)
    ? Number(header) * SECOND_MS
    : Date.parse(header) - now.getTime();
  return ms > 0 ? ms : undefined;
}

const REST_MS = { min: SECOND_MS, max: 30 * SECOND_MS };

/** How long a webhook is left alone of which so many rounds failed in a row. */
export function toRestMs(failures: number): number {
  return failures === 0 ? 0 : Math.min(REST_MS.max, REST_MS.min * 2 ** Math.min(failures - 1, 5));
}
