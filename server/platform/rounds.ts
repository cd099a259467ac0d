import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs a round after the other until it is disposed; the round that is running is told by its signal, and
 * is waited for. A round answers for how many milliseconds to pause; one that throws is told to `onError`,
 * and the next one comes `retryMs` later.
 */
export function openRounds(
  round: (signal: AbortSignal) => Promise<number>,
  { retryMs, onError }: { retryMs: number; onError: (error: unknown) => void },
): AsyncDisposable {
  const stopping = new AbortController();
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pauseMs = await round(stopping.signal).catch((error: unknown) => {
        onError(error);
        return retryMs;
      });
      await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
