export interface Rounds extends AsyncDisposable {
  /** Has the next round begin at once, or as soon as the one that is running has ended. */
  wake: () => void;
}

/**
 * Runs a round after the other until it is disposed; the round that is running is told by its signal, and
 * is waited for. A round answers for how many milliseconds to pause; one that throws is told to `onError`,
 * and the next one comes `retryMs` later, whoever wakes it.
 */
export function openRounds(
  round: (signal: AbortSignal) => Promise<number>,
  { retryMs, onError }: { retryMs: number; onError: (error: unknown) => void },
): Rounds {
  const stopping = new AbortController();
  let isWoken = false;
  let isFailed = false;
  let endPause: (() => void) | undefined;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      isWoken = false;
      const pauseMs = await round(stopping.signal).catch((error: unknown) => {
        onError(error);
        return undefined;
      });
      if (stopping.signal.aborted) return;
      isFailed = pauseMs === undefined;
      if (isFailed || !isWoken) await pause(pauseMs ?? retryMs);
    }
  };
  const running = run();
  return {
    wake() {
      isWoken = true;
      if (!isFailed) endPause?.();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      endPause?.();
      await running;
    },
  };
}
