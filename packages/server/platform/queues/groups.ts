import { setImmediate } from "node:timers/promises";

const GROUP_MAX = 500;

interface Waiting<T, R> {
  item: T;
  done: PromiseWithResolvers<R>;
}

/**
 * Opens a writer that batches: items that arrive while one group is written form the next group. The returned
 * function resolves once its item is written, and rejects with the error of its group.
 */
export function openGroupWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  const { add } = openGroups<T, void>(async (items) => {
    await write(items);
    return items.map(() => undefined);
  });
  return add;
}

export interface GroupReads<T, R> {
  /** Items with equal keys may share a group. */
  keyOf: (item: T) => string;
  /** Maximum size of the groups of an item's key. */
  groupMaxOf?: (item: T) => number;
  /** Reads the results of one group, in the order of its items. */
  read: (items: readonly T[]) => Promise<readonly R[]>;
}

/**
 * Opens a reader that batches: items that arrive while a group of their key is read form the next group. No item joins
 * a read that has begun, so that each result is as new as that of a read of its own. The returned function rejects with
 * the error of its item's group.
 */
export function openGroupReader<T, R>(reads: GroupReads<T, R>): (item: T) => Promise<R> {
  const { keyOf, read, groupMaxOf = () => GROUP_MAX } = reads;
  const open = new Map<string, Groups<T, R>>();
  return async (item) => {
    const key = keyOf(item);
    const groups = open.get(key) ?? openGroups(read, groupMaxOf(item));
    open.set(key, groups);
    try {
      return await groups.add(item);
    } finally {
      if (groups.isIdle()) open.delete(key);
    }
  };
}

interface Groups<T, R> {
  add: (item: T) => Promise<R>;
  isIdle: () => boolean;
}

/** Opens groups of which one runs at a time. */
function openGroups<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  groupMax = GROUP_MAX,
): Groups<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let isRunning = false;
  const runGroup = async (group: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const results = await run(group.map(({ item }) => item));
      // Safe: `run` returns a result for each item.
      for (const [at, { done }] of group.entries()) done.resolve(results[at] as R);
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  };
  const runAll = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length > 0) {
      // Requests that arrived together are handled before the next event, and share the group.
      await setImmediate();
      await runGroup(waiting.splice(0, groupMax));
    }
    isRunning = false;
  };
  return {
    add(item) {
      const done = Promise.withResolvers<R>();
      waiting.push({ item, done });
      void runAll();
      return done.promise;
    },
    isIdle: () => !isRunning && waiting.length === 0,
  };
}
