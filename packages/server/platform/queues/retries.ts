import { setTimeout as delay } from "node:timers/promises";

export interface RetriesOptions {
  /** The first try counts. */
  attemptsMax: number;
  isRetryable: (error: unknown) => boolean;
  /** For how long the one who failed asked to be left alone, in milliseconds; undefined: it did not say. */
  toPauseMs?: (error: unknown) => number | undefined;
  /** The first pause; each next one is twice as long. */
  pauseMs?: number;
  pauseMaxMs?: number;
  /** Ends tries and pauses. */
  signal?: AbortSignal;
}

const PAUSE_MS = 100;
const PAUSE_MAX_MS = 5_000;

/**
 * Does `work` until it succeeds, with pauses that double and vary, so that those who failed together do not
 * come back together.
 * @throws what the last try threw, or the first error that is not to be retried
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
      const asked = toPauseMs?.(error) ?? 0;
      await pause(Math.min(pauseMaxMs, Math.max(doubled, asked)), signal, error);
    }
  }
}

/** Of what is ended in a pause the last failure tells more than that it was ended. */
async function pause(ms: number, signal: AbortSignal, failure: unknown): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch {
    throw failure;
  }
}
