import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "./log.ts";
import { PostgresError } from "./errors.ts";
import type { Server } from "./server.ts";

const TRIES_MAX = 10;
/** A server that stayed up for so long has recovered: the next end is the first again. */
const STEADY_MS = 60_000;
const DELAY_MS_MAX = 15_000;
const FULL_DELAY_MS = 2_000;

/** A server that is started again when it ends by itself. Disposed, it has ended for good. */
export interface Keeper extends AsyncDisposable {
  /** Fulfilled when it does not stay up, however often it is started; tells why. */
  lost: Promise<PostgresError>;
}

interface KeeperOptions {
  /** The first start. */
  start: () => Promise<Server>;
  /** Starts on what a server left that ended in whatever way; given up when the signal is aborted. */
  restart: (signal: AbortSignal) => Promise<Server>;
  /** Whether the disk has too little room for a server to start. */
  isDiskFull: () => Promise<boolean>;
  /** Aborted, a server that ends is not started again. */
  signal: AbortSignal | undefined;
  log: Log;
  /** How long to wait before a try, by the number of those before it in a row. */
  toDelayMs?: (tries: number) => number;
}

/** Starts a server and keeps it up. Throws when the first start fails. */
export async function keepServer(options: KeeperOptions): Promise<Keeper> {
  const stop = new AbortController();
  const signals = options.signal ? [stop.signal, options.signal] : [stop.signal];
  const signal = AbortSignal.any(signals);
  const lost = Promise.withResolvers<PostgresError>();
  let server = await options.start();

  const keep = async (): Promise<void> => {
    let tries = 0;
    for (;;) {
      const upSince = performance.now();
      const { code, signal: endSignal } = await server.exited;
      if (signal.aborted) return;
      options.log.warn(
        { code, signal: endSignal },
        "the embedded database ended by itself: it is started again",
      );
      if (performance.now() - upSince > STEADY_MS) tries = 0;
      const next = await startAgain(options, { tries, signal });
      if (!next) return;
      ({ server, tries } = next);
      if (!signal.aborted) options.log.warn({}, "the embedded database is back");
      else await server[Symbol.asyncDispose]();
    }
  };
  const kept = keep().catch((error: unknown) => lost.resolve(toLost(error)));
  return {
    lost: lost.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server[Symbol.asyncDispose]();
      await kept;
    },
  };
}

/**
 * Tries until a server is up; undefined when `signal` is aborted before. Throws the last failure when
 * the tries are used up; those that fail while the disk is full do not count.
 */
async function startAgain(
  { restart, isDiskFull, log, toDelayMs = toDefaultDelayMs }: KeeperOptions,
  { tries: before, signal }: { tries: number; signal: AbortSignal },
): Promise<{ server: Server; tries: number } | undefined> {
  let failure: unknown = new PostgresError("The embedded PostgreSQL ends as soon as it is up.");
  let isFull = false;
  for (let tries = before; tries < TRIES_MAX;) {
    const delayMs = isFull ? FULL_DELAY_MS : toDelayMs(tries);
    await delay(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    if (!isFull) tries += 1;
    try {
      return { server: await restart(signal), tries };
    } catch (error) {
      if (signal.aborted) return undefined;
      failure = error;
      isFull = await isDiskFull().catch(() => false);
      log.warn({ err: error, tries, isFull }, "the embedded database could not be started again");
    }
  }
  throw failure;
}

/** At once, then after one second, two, four and so on. */
function toDefaultDelayMs(tries: number): number {
  return tries === 0 ? 0 : Math.min(1_000 * 2 ** (tries - 1), DELAY_MS_MAX);
}

function toLost(error: unknown): PostgresError {
  const told = error instanceof Error ? error.message : String(error);
  const message = `The embedded database does not stay up: it was started again ${TRIES_MAX} times. ${told}`;
  return new PostgresError(message, { cause: error });
}
