/**
 * No library shares slots between tenants: with p-queue, fastq and bottleneck the other tenants wait for all of a flood.
 * With a custom queue class, p-queue would only count slots. Decision 2 has the measurement.
 */
import { LRUCache } from "lru-cache";
import { Fault } from "../errors.ts";

/** Maximum number of keys whose work is remembered while the queue is in use. */
const KEYS_MAX = 10_000;
/** Minimum work of an entry, so that keys also alternate when work takes no time. */
const WORK_MS_MIN = 1;

/** A client that waits for work. */
export interface Client {
  /** Owners are served before visitors. An owner by default. */
  kind?: "owner" | "visitor" | undefined;
  /** Tenants that the work counts for: a network, a user, a project, a content. */
  keys: readonly string[];
  /** Aborts when the client no longer waits. */
  signal?: AbortSignal | undefined;
}

export interface QueueEntry extends Client {
  /** Served before other entries of the same key. */
  isUrgent?: boolean;
  /** Maximum of entries of one key that run or wait. */
  keyMax?: number;
}

/** `now` is monotonic, in ms. */
interface QueueClock {
  now: () => number;
  setTimeout: (run: () => void, ms: number) => Disposable;
}

export interface FairQueueOptions {
  /** Entries that run at once. */
  capacity: number;
  /** Slots that visitors may hold at once; all by default. */
  visitorCapacity?: number;
  waitersMax: number;
  /** Maximum wait for a slot; unlimited by default. */
  waitMsMax?: number;
  /** The error of an entry that is not run: too many entries of its key, or a full queue or too long a wait. */
  toFault: (kind: "too-many" | "busy") => Fault;
  clock?: QueueClock;
}

/**
 * Limits concurrent work and shares it fairly among keys: the next entry is an owner's, then one of the key with the least
 * work, in ms. A full queue evicts a visitor for an owner, else the newest waiter of the longest queue, unless that is the
 * caller's own; of that, an entry that is not urgent for one that is.
 */
export interface FairQueue extends Disposable {
  /**
   * Runs `work` as soon as the entry has a slot. A signal that aborts removes a waiter; running work has to listen itself.
   * @throws Fault of `toFault`; busy after an abort, and after the queue was disposed of
   */
  run<T>(entry: QueueEntry, work: () => Promise<T>): Promise<T>;
}

interface Arrival {
  entry: QueueEntry;
  /** In virtual time. */
  arrivedMs: number;
}

interface Waiter extends Arrival {
  slot: PromiseWithResolvers<Disposable>;
  stopWaiting: () => void;
}

interface Running extends Arrival {
  startedAt: number;
}

const systemClock: QueueClock = { now: () => performance.now(), setTimeout };

/** Opens a queue; disposing of it rejects all waiters. */
export function openFairQueue(options: FairQueueOptions): FairQueue {
  const { capacity, visitorCapacity = capacity, waitersMax, waitMsMax, toFault } = options;
  const { clock = systemClock } = options;
  /** In order of arrival. */
  const waiters = new Set<Waiter>();
  const running = new Set<Running>();
  /**
   * Fair queueing of work whose length is known afterwards. Virtual time is the work that each active key would have
   * received by now, so a new key neither starves a known one nor is put behind what others received before it came.
   */
  const workMs = new LRUCache<string, number>({ max: KEYS_MAX });
  let virtualMs = 0;
  let isClosed = false;

  const hasSlot = ({ kind }: QueueEntry): boolean =>
    running.size < capacity &&
    (kind !== "visitor" ||
      [...running].filter(({ entry }) => entry.kind === "visitor").length < visitorCapacity);

  const msOf = ({ startedAt }: Running): number => Math.max(WORK_MS_MIN, clock.now() - startedAt);

  const workOfKey = (key: string): number =>
    [...running]
      .filter(({ entry }) => entry.keys.includes(key))
      .reduce((sum, one) => sum + msOf(one), workMs.get(key) ?? 0);

  const workOf = ({ entry, arrivedMs }: Arrival): number =>
    Math.max(arrivedMs, ...entry.keys.map(workOfKey));

  function start({ entry, arrivedMs }: Arrival): Disposable {
    const started: Running = { entry, arrivedMs, startedAt: clock.now() };
    running.add(started);
    return { [Symbol.dispose]: () => end(started) };
  }

  function end(ended: Running): void {
    const ms = msOf(ended);
    virtualMs += ms / Math.max(1, countKeys([...waiters, ...running]).size);
    running.delete(ended);
    for (const key of ended.entry.keys)
      workMs.set(key, Math.max(ended.arrivedMs, workMs.get(key) ?? 0) + ms);
    for (let next = findNext(); next; next = findNext()) {
      leave(next);
      next.slot.resolve(start(next));
    }
    if (running.size > 0) return;
    workMs.clear();
    virtualMs = 0;
  }

  function findNext(): Waiter | undefined {
    return [...waiters]
      .filter(({ entry }) => hasSlot(entry))
      .map((waiter) => ({ waiter, work: workOf(waiter), ...toRanks(waiter.entry) }))
      .toSorted((a, b) => a.kind - b.kind || a.work - b.work || a.urgency - b.urgency)[0]?.waiter;
  }

  function findEvicted(entry: QueueEntry): Waiter | undefined {
    const lengths = countKeys(waiters);
    const rank = (of: QueueEntry) => ({
      length: Math.max(0, ...of.keys.map((key) => lengths.get(key) ?? 0)),
      ...toRanks(of),
    });
    const own = rank(entry);
    return [...waiters]
      .map((waiter) => ({ waiter, ...rank(waiter.entry) }))
      .filter(({ waiter, kind, length, urgency }) => {
        if (kind !== own.kind) return kind > own.kind;
        const isOwn = waiter.entry.keys.some((key) => entry.keys.includes(key));
        return length > own.length + 1 || (isOwn && urgency > own.urgency);
      })
      .toReversed()
      .toSorted((a, b) => b.kind - a.kind || b.length - a.length || b.urgency - a.urgency)[0]
      ?.waiter;
  }

  /** An urgent entry comes before the earlier ones of its keys, and thus takes the time of their arrival. */
  function toUrgentArrival({ keys }: QueueEntry): number {
    const own = [...waiters].filter(({ entry }) => entry.keys.some((key) => keys.includes(key)));
    return Math.min(virtualMs, ...own.map(({ arrivedMs }) => arrivedMs));
  }

  function leave(waiter: Waiter): void {
    waiters.delete(waiter);
    waiter.stopWaiting();
  }

  function reject(waiter: Waiter, fault: Fault): void {
    leave(waiter);
    waiter.slot.reject(fault);
  }

  function wait(entry: QueueEntry): Promise<Disposable> {
    const abort = (): void => reject(waiter, toAbandoned());
    const expire = (): void => reject(waiter, toFault("busy"));
    const timer = waitMsMax === undefined ? undefined : clock.setTimeout(expire, waitMsMax);
    entry.signal?.addEventListener("abort", abort, { once: true });
    const waiter: Waiter = {
      entry,
      arrivedMs: entry.isUrgent === true ? toUrgentArrival(entry) : virtualMs,
      slot: Promise.withResolvers(),
      stopWaiting() {
        timer?.[Symbol.dispose]();
        entry.signal?.removeEventListener("abort", abort);
      },
    };
    waiters.add(waiter);
    return waiter.slot.promise;
  }

  function acquire(entry: QueueEntry): Disposable | Promise<Disposable> {
    if (isClosed) throw toClosed();
    if (entry.signal?.aborted) throw toAbandoned();
    const { keyMax } = entry;
    if (keyMax !== undefined) {
      const counts = countKeys([...waiters, ...running]);
      if (entry.keys.some((key) => (counts.get(key) ?? 0) >= keyMax)) throw toFault("too-many");
    }
    if (hasSlot(entry)) return start({ entry, arrivedMs: virtualMs });
    if (waiters.size >= waitersMax) {
      const evicted = findEvicted(entry);
      if (!evicted) throw toFault("busy");
      reject(evicted, toFault("busy"));
    }
    return wait(entry);
  }

  return {
    async run(entry, work) {
      using _slot = await acquire(entry);
      // The signal may have aborted between the assignment of the slot and now.
      if (entry.signal?.aborted) throw toAbandoned();
      return await work();
    },
    [Symbol.dispose]() {
      isClosed = true;
      for (const waiter of waiters) reject(waiter, toClosed());
    },
  };
}

/** Lower is served first. */
function toRanks({ kind, isUrgent }: QueueEntry) {
  return { kind: kind === "visitor" ? 1 : 0, urgency: isUrgent ? 0 : 1 };
}

function countKeys(all: Iterable<Arrival>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { entry } of all)
    for (const key of entry.keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The error of a client that no longer waits. It is neither read nor logged. */
export function toAbandoned(): Fault {
  return new Fault("busy", "The client no longer waits for this.", { isLogged: true });
}

/** The error of entries that a shutdown rejects. */
export function toClosed(): Fault {
  return new Fault("busy", "The service is shutting down.", { retryAfterSeconds: 5 });
}
