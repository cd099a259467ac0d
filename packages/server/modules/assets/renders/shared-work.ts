import { Fault } from "../../../platform/errors.ts";
import { type Client, openFairQueue, toAbandoned } from "../../../platform/queues/fair-queue.ts";

/** Maximum running or waiting work of visitors: in total, and per content or address. */
const VISITORS_MAX = 128;
const KEY_MAX = 32;
const RETRY_AFTER_SECONDS = 5;

interface Work<T> {
  isOwners: boolean;
  done: Promise<T>;
  clients: number;
  stop: AbortController;
}

/** Runs work once for concurrent requests with the same key. */
export type ShareWork<T> = (
  key: string,
  client: Client,
  work: (client: Client) => Promise<T>,
) => Promise<T>;

/**
 * An owner does not share visitors' work, which has a lower priority; a visitor shares an owner's. The signal of `work`
 * aborts when no client is waiting; the work counts until it has ended.
 * @throws Fault busy beyond the limits for visitors, and after an abort of the client's signal
 */
export function openSharedWork<T>({
  visitorsMax = VISITORS_MAX,
  keyMax = KEY_MAX,
} = {}): ShareWork<T> {
  const shared = new Map<string, Work<T>>();
  const visitors = openFairQueue({
    capacity: visitorsMax,
    waitersMax: 0,
    toFault: () =>
      new Fault("busy", "Too many pictures are waiting to be rendered. Retry in a few seconds.", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });
  const start: (...args: Parameters<ShareWork<T>>) => Work<T> = (key, { kind, keys }, work) => {
    const stop = new AbortController();
    const run = () => work({ kind, keys, signal: stop.signal });
    const isOwners = kind !== "visitor";
    const done = isOwners ? run() : visitors.run({ keys, keyMax }, run);
    const started = { isOwners, done, clients: 0, stop };
    shared.set(key, started);
    return started;
  };
  return async (key, client, work) => {
    const found = shared.get(key);
    const isShared = found && (client.kind === "visitor" || found.isOwners);
    const joined = isShared ? found : start(key, client, work);
    joined.clients += 1;
    try {
      return await untilAborted(joined.done, client.signal);
    } finally {
      joined.clients -= 1;
      if (joined.clients === 0) {
        if (shared.get(key) === joined) shared.delete(key);
        joined.stop.abort();
      }
    }
  };
}

async function untilAborted<T>(done: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return done;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(toAbandoned());
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([done, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
