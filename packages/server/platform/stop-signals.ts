import { constants } from "node:os";
import type { FastifyBaseLogger } from "fastify";

/** Ctrl-C in a terminal signals npm, the launcher and the service, and the launcher forwards its signal. */
const DUPLICATE_MS = 1_000;

export interface StopSignals {
  /** Aborted at the first signal. */
  signal: AbortSignal;
  /** Fulfilled at the first signal. */
  requested: Promise<void>;
}

type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/**
 * Listens for requests to stop: signals, and the disconnection of the launcher, which a SIGKILL leaves no time to
 * forward a signal. Signals within a second count as one. A later one ends the process at once with status
 * 128 + n.
 */
export function listenForStop(
  log: Pick<FastifyBaseLogger, "info" | "warn">,
  signals: readonly StopSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"],
): StopSignals {
  const stop = new AbortController();
  let firstAt: number | undefined;
  const begin = (why: Record<string, string>): void => {
    firstAt = performance.now();
    log.info(why, "stopping");
    stop.abort();
  };
  const take = (name: StopSignal): void => {
    if (firstAt === undefined) begin({ signal: name });
    else if (performance.now() - firstAt > DUPLICATE_MS) {
      log.warn({ signal: name }, "stopping at once");
      process.exit(128 + constants.signals[name]);
    }
  };
  for (const name of signals) process.on(name, () => take(name));
  if (process.connected) {
    process.once("disconnect", () => {
      if (firstAt === undefined) begin({ because: "the launcher is gone" });
    });
    // Must not keep the process alive.
    process.channel?.unref();
  }
  const requested = new Promise<void>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  return { signal: stop.signal, requested };
}
