import { Fault } from "../../../platform/errors.ts";

interface Queue {
  waiters: number;
  /** Resolves when the newest waiter has left the queue. */
  last: Promise<void>;
  running: Set<Promise<void>>;
}

interface Entry<S, T> {
  /** Acquires a slot; undefined when there is none. Only the first waiter of a queue calls it. */
  acquire: () => Promise<S | undefined>;
  /** Runs the work with a slot, and releases the slot if necessary. */
  run: (slot: S) => Promise<T>;
}

/** Runs an entry in the queue of this name; undefined when there is no slot and nothing running may release one. */
export type Enqueue = <S, T>(name: string, entry: Entry<S, T>) => Promise<T | undefined>;

/**
 * First-in first-out queues for slots. At most `runningMax` entries of a queue run at once and `waitersMax` wait. An entry
 * without a slot waits while others of its queue run, since they may release theirs.
 */
export function openQueues(limits: { runningMax: number; waitersMax: number }): Enqueue {
  const queues = new Map<string, Queue>();
  return async function enqueue(name, entry) {
    const queue = queues.get(name) ?? { waiters: 0, last: Promise.resolve(), running: new Set() };
    if (queue.waiters >= limits.waitersMax)
      throw new Fault(
        "too-many",
        "Too many passwords of one account are being checked at once. Wait 1 second.",
        { retryAfterSeconds: 1 },
      );
    queues.set(name, queue);
    const deleteIfEmpty = (): void => {
      if (queue.waiters === 0 && queue.running.size === 0) queues.delete(name);
    };
    const started = await waitFor(queue, async () => {
      const slot = await findSlot(queue, limits.runningMax, entry.acquire);
      // In an object, as the queue must not wait for the work itself.
      return slot === undefined ? undefined : { result: run(queue, entry.run(slot)) };
    }).finally(deleteIfEmpty);
    return started?.result.finally(deleteIfEmpty);
  };
}

/** Runs `step` after the steps of all earlier waiters. */
async function waitFor<T>(queue: Queue, step: () => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const earlier = queue.last;
  queue.last = promise;
  queue.waiters += 1;
  try {
    await earlier;
    return await step();
  } finally {
    queue.waiters -= 1;
    resolve();
  }
}

async function findSlot<S>(
  { running }: Queue,
  runningMax: number,
  acquire: () => Promise<S | undefined>,
): Promise<S | undefined> {
  for (;;) {
    if (running.size < runningMax) {
      // Work that ends during the call may release a slot, so only a queue that was idle before stops waiting.
      const wasIdle = running.size === 0;
      const slot = await acquire();
      if (slot !== undefined || wasIdle) return slot;
    }
    if (running.size > 0) await Promise.race(running);
  }
}

async function run<T>({ running }: Queue, work: Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<void>();
  running.add(promise);
  try {
    return await work;
  } finally {
    running.delete(promise);
    resolve();
  }
}
