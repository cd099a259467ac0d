import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "./log.ts";
import { PostgresError } from "./errors.ts";
import type { Server } from "./server.ts";

const TRIES_MAX = 10;
/** Uptime after which the count of restarts is reset. */
const STEADY_MS = 60_000;
const DELAY_MS_MAX = 15_000;
const FULL_DELAY_MS = 2_000;

/** A server that is restarted when it exits, until disposal. */
export interface Supervisor extends AsyncDisposable {
  /** Resolves with the reason when all restarts have failed. */
  lost: Promise<PostgresError>;
}

interface SupervisorOptions {
  start: () => Promise<Server>;
  /** Starts the server after an exit, clean or not; cancelled by the signal. */
  restart: (signal: AbortSignal) => Promise<Server>;
  /** Whether the disk is too full for a server to start. */
  isDiskFull: () => Promise<boolean>;
  /** Stops restarts. */
  signal: AbortSignal | undefined;
  log: Log;
  /** The backoff before a restart, by the number of failed ones in a row. */
  toDelayMs?: (tries: number) => number;
}

/** Starts a server and restarts it when it exits. Throws if the first start fails. */
export async function superviseServer(options: SupervisorOptions): Promise<Supervisor> {
  const stop = new AbortController();
  const signals = options.signal ? [stop.signal, options.signal] : [stop.signal];
  const signal = AbortSignal.any(signals);
  const lost = Promise.withResolvers<PostgresError>();
  let server = await options.start();

  const supervise = async (): Promise<void> => {
    let tries = 0;
    for (;;) {
      const upSince = performance.now();
      const { code, signal: endSignal } = await server.exited;
      if (signal.aborted) return;
      options.log.warn({ code, signal: endSignal }, "embedded database exited, restarting");
      if (performance.now() - upSince > STEADY_MS) tries = 0;
      const next = await restartServer(options, { tries, signal });
      if (!next) return;
      ({ server, tries } = next);
      if (!signal.aborted) options.log.warn({}, "embedded database restarted");
      else await server[Symbol.asyncDispose]();
    }
  };
  const supervised = supervise().catch((error: unknown) => lost.resolve(toLost(error)));
  return {
    lost: lost.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server[Symbol.asyncDispose]();
      await supervised;
    },
  };
}

/**
 * Retries until a server runs; returns undefined if `signal` is aborted before. Throws the last error after the
 * maximum of retries; those that fail while the disk is full do not count.
 */
async function restartServer(
  { restart, isDiskFull, log, toDelayMs = toDefaultDelayMs }: SupervisorOptions,
  { tries: before, signal }: { tries: number; signal: AbortSignal },
): Promise<{ server: Server; tries: number } | undefined> {
  let failure: unknown = new PostgresError("The embedded PostgreSQL exits right after its start.");
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
      log.warn({ err: error, tries, isFull }, "embedded database restart failed");
    }
  }
  throw failure;
}

/** 0 s, 1 s, 2 s, 4 s and so on. */
function toDefaultDelayMs(tries: number): number {
  return tries === 0 ? 0 : Math.min(1_000 * 2 ** (tries - 1), DELAY_MS_MAX);
}

function toLost(error: unknown): PostgresError {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The embedded database failed after ${TRIES_MAX} restarts. ${reason}`;
  return new PostgresError(message, { cause: error });
}
