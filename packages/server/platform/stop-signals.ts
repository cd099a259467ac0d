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
 * Listens for what asks this process to stop: signals, and the end of the process that started it
 * with a channel to it, which a kill leaves no time to pass anything on. Signals within a second are one; a later one, for
 * whom the orderly stop takes too long, ends the process at once with status 128 + n.
 */
export function listenForStop(log: Pick<FastifyBaseLogger, "info" | "warn">): StopSignals {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const begin = (why: Record<string, string>): void => {
    firstAt = performance.now();
    log.info(why, "stopping");
    stop.abort();
  };
  const take = (name: "SIGINT" | "SIGTERM" | "SIGHUP"): void => {
    if (firstAt === undefined) begin({ signal: name });
    else if (performance.now() - firstAt > DUPLICATE_MS) {
      log.warn({ signal: name }, "stopping at once");
      process.exit(128 + constants.signals[name]);
    }
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => take(name));
  if (process.connected) {
    process.once("disconnect", () => {
      if (firstAt === undefined) begin({ because: "the launcher is gone" });
    });
    // Listening must not keep a program from ending.
    process.channel?.unref();
  }
  const requested = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return { signal: stop.signal, requested };
}
