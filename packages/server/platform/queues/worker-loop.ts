export interface WorkerLoop extends AsyncDisposable {
  /** Starts the next run at once, or directly after the current one. */
  wake: () => void;
}

/**
 * Runs `work` repeatedly until disposal, which aborts the signal of the current run and waits for it. A run returns
 * the pause before the next one in milliseconds. After an error, passed to `onError`, the next run starts
 * `retryMs` later, also when woken.
 */
export function openWorkerLoop(
  work: (signal: AbortSignal) => Promise<number>,
  { retryMs, onError }: { retryMs: number; onError: (error: unknown) => void },
): WorkerLoop {
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
      const pauseMs = await work(stopping.signal).catch((error: unknown) => {
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
