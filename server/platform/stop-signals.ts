import { constants } from "node:os";
import type { FastifyBaseLogger } from "fastify";

/** A terminal's Ctrl-C reaches npm, the launcher and the service, and the launcher passes its own on. */
const DUPLICATE_MS = 1_000;

export interface StopSignals {
  /** Aborted at the first signal. */
  signal: AbortSignal;
  /** Fulfilled at the first signal. */
  requested: Promise<void>;
}

/**
 * Listens for what asks this process to stop. Signals within a second are one; a later one, for
 * whom the orderly stop takes too long, ends the process at once with status 128 + n.
 */
export function listenForStop(log: Pick<FastifyBaseLogger, "info" | "warn">): StopSignals {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const take = (name: "SIGINT" | "SIGTERM" | "SIGHUP"): void => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      log.info({ signal: name }, "stopping");
      stop.abort();
    } else if (performance.now() - firstAt > DUPLICATE_MS) {
      log.warn({ signal: name }, "stopping at once");
      process.exit(128 + constants.signals[name]);
    }
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => take(name));
  const requested = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return { signal: stop.signal, requested };
}
