import { Fault } from "../../../platform/errors.ts";
import type { Asker } from "../child/turns.ts";

/** Being made for visitors, or waiting for it: in all, and of one content or for one address. */
const MAKING_MAX = 128;
const MAKING_OF_ONE_MAX = 32;
const RETRY_AFTER_SECONDS = 5;

interface Made<T> {
  asker: Asker;
  done: Promise<T>;
  waiting: number;
  stop: AbortController;
}

/** Makes what several may ask for at a time. */
export type MakeOnce<T> = (
  key: string,
  asker: Asker,
  make: (asker: Asker) => Promise<T>,
) => Promise<T>;

/**
 * Opens the making of things that several ask for at a time: each is made once for all of them, and
 * given up when none of them waits any more. An owner does not wait for what is made for visitors, whose
 * turn comes later. What `make` is told aborts when nobody waits.
 * @throws Fault busy where visitors ask for too much, and for who has gone
 */
export function openMaking<T>({
  max = MAKING_MAX,
  ofOneMax = MAKING_OF_ONE_MAX,
} = {}): MakeOnce<T> {
  const joinable = new Map<string, Made<T>>();
  const all = new Set<Made<T>>();
  const assertRoom = ({ kind, of }: Asker): void => {
    if (kind === "owner") return;
    const visited = [...all].filter(({ asker }) => asker.kind === "visitor");
    const isShared = of.every(
      (one) => visited.filter(({ asker }) => asker.of.includes(one)).length < ofOneMax,
    );
    if (visited.length < max && isShared) return;
    throw new Fault("busy", "Too many pictures wait to be made.", {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  };
  const start: (...args: Parameters<MakeOnce<T>>) => Made<T> = (key, asker, make) => {
    assertRoom(asker);
    const stop = new AbortController();
    const done = make({ kind: asker.kind, of: asker.of, signal: stop.signal });
    const made = { asker, done, waiting: 0, stop };
    joinable.set(key, made);
    all.add(made);
    return made;
  };
  return async (key, asker, make) => {
    const found = joinable.get(key);
    const isJoined = found && (asker.kind === "visitor" || found.asker.kind === "owner");
    const made = isJoined ? found : start(key, asker, make);
    made.waiting += 1;
    // Also when nobody waits for it, it takes room until it has ended.
    const end = (): boolean => all.delete(made);
    if (made !== found) made.done.then(end, end);
    try {
      return await orGone(made.done, asker.signal);
    } finally {
      made.waiting -= 1;
      if (made.waiting === 0) {
        if (joinable.get(key) === made) joinable.delete(key);
        made.stop.abort();
      }
    }
  };
}

/** What is made, unless its asker goes first, who is told nothing any more. */
function orGone<T>(done: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return done;
  const gone = Promise.withResolvers<T>();
  const leave = (): void => gone.reject(toGone());
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  const stay = (): void => signal.removeEventListener("abort", leave);
  return Promise.race([done, gone.promise]).finally(stay);
}

/** For who does not wait any more: nobody reads it, and it is no trouble of the service. */
function toGone(): Fault {
  return new Fault("busy", "Nobody waits for this any more.", { isTold: true });
}
