import { setTimeout as delay } from "node:timers/promises";

export interface RetriesOptions {
  /** Including the first attempt. */
  attemptsMax: number;
  isRetryable: (error: unknown) => boolean;
  /** The pause that the error asks for, such as by `Retry-After`, in milliseconds. */
  toPauseMs?: (error: unknown) => number | undefined;
  /** The first pause; it doubles with each attempt. */
  pauseMs?: number;
  pauseMaxMs?: number;
  /** Cancels attempts and pauses. */
  signal?: AbortSignal;
}

const PAUSE_MS = 100;
const PAUSE_MAX_MS = 5_000;

/**
 * Retries `work` with exponential backoff and jitter.
 * @throws the error of the last attempt, or the first error that is not retryable
 */
export async function withRetries<T>(
  work: (signal: AbortSignal) => Promise<T>,
  options: RetriesOptions,
): Promise<T> {
  const { attemptsMax, isRetryable, toPauseMs, pauseMs = PAUSE_MS } = options;
  const { pauseMaxMs = PAUSE_MAX_MS, signal = new AbortController().signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(signal);
    } catch (error) {
      if (attempt >= attemptsMax || signal.aborted || !isRetryable(error)) throw error;
      const doubled = pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
      const requested = toPauseMs?.(error) ?? 0;
      await pause(Math.min(pauseMaxMs, Math.max(doubled, requested)), signal, error);
    }
  }
}

/** Cancelled during a pause, throws the last failure, which says more than the cancellation. */
async function pause(ms: number, signal: AbortSignal, failure: unknown): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    throw failure;
  }
}
