import { Problem } from "./problem.ts";

const DELAY_MS = 500;
const DELAY_MS_MAX = 30_000;
const RETRY_AFTER_SECONDS_MAX = 300;
const transientStatuses = new Set([202, 429, 503]);

export interface RetryOptions {
  /** Retries after the first attempt. */
  retries: number;
  signal?: AbortSignal | undefined;
  /** Whether an error other than a `Problem` is transient; default: never. */
  isTransient?: (error: unknown) => boolean;
  /** Called before each retry. */
  onRetry?: (error: unknown) => void;
}

/**
 * Repeats work that fails while the service is unreachable, busy, limits the rate or still makes the result: after its `Retry-After`, else
 * with exponential backoff. Throws the last error, and the signal's reason as soon as it is aborted.
 */
export async function retry<T>(
  work: () => Promise<T>,
  { retries, signal, isTransient, onRetry }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      // A timeout of the signal is a problem already, `offline`.
      if (!(error instanceof Problem)) signal?.throwIfAborted();
      const isLast = attempt >= retries || signal?.aborted === true;
      const delayMs = isLast ? undefined : toDelayMs(error, { attempt, isTransient });
      if (delayMs === undefined) throw error;
      onRetry?.(error);
      await sleep(delayMs, signal);
    }
  }
}

/** The delay before a retry; undefined if a retry cannot succeed soon. */
function toDelayMs(
  error: unknown,
  { attempt, isTransient }: { attempt: number; isTransient: RetryOptions["isTransient"] },
): number | undefined {
  const backoffMs = Math.min(DELAY_MS_MAX, DELAY_MS * 2 ** attempt);
  if (!(error instanceof Problem)) return isTransient?.(error) === true ? backoffMs : undefined;
  if (error.kind === "offline") return backoffMs;
  if (!transientStatuses.has(error.status)) return undefined;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return backoffMs;
  return retryAfterSeconds <= RETRY_AFTER_SECONDS_MAX ? retryAfterSeconds * 1_000 : undefined;
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
