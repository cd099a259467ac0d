const GROUP_MAX = 500;

interface Waiting<T> {
  item: T;
  done: PromiseWithResolvers<void>;
}

/**
 * Opens a writer that batches: items that arrive while one group is written form the next group. The returned
 * function resolves once its item is written, and rejects with the error of its group.
 */
export function openGroupWriter<T>(
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = [];
  let isWriting = false;
  const writeGroup = async (group: readonly Waiting<T>[]): Promise<void> => {
    try {
      await write(group.map(({ item }) => item));
      for (const { done } of group) done.resolve();
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  };
  const run = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) await writeGroup(waiting.splice(0, GROUP_MAX));
    isWriting = false;
  };
  return (item) => {
    const done = Promise.withResolvers<void>();
    waiting.push({ item, done });
    void run();
    return done.promise;
  };
}
