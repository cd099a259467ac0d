import type { Item } from "./formats/format.ts";

/** Maximum items of one transaction. */
export const ITEMS_MAX = 1_000;
const LENGTH_MAX = 2 * 1024 * 1024;

/** The prepared items of one transaction. */
export interface Chunk<T> {
  ready: T;
  /**
   * Starts reading the next chunk: called once PostgreSQL is busy, so that both work in parallel.
   * Otherwise reading starts with the next iteration.
   */
  readOn: () => void;
}

/**
 * Groups items into chunks of one transaction and prepares them. At most one chunk is prepared while
 * another is written.
 */
export async function* toChunks<T>(
  items: AsyncIterable<Item[]>,
  makeReady: (chunk: Item[]) => Promise<T>,
): AsyncGenerator<Chunk<T>> {
  await using cut = cutChunks(items, makeReady);
  for (let next = cut.next(); ;) {
    const { done, value } = await next;
    if (done) return;
    let following: typeof next | undefined;
    const readOn = () => {
      if (following) return;
      following = cut.next();
      // The next iteration reports the failure.
      following.catch(() => undefined);
    };
    yield { ready: value, readOn };
    readOn();
    next = following ?? cut.next();
  }
}

async function* cutChunks<T>(
  items: AsyncIterable<Item[]>,
  makeReady: (chunk: Item[]) => Promise<T>,
): AsyncGenerator<T, undefined> {
  let chunk: Item[] = [];
  let length = 0;
  for await (const some of items)
    for (const item of some) {
      chunk.push(item);
      length += item.text.length;
      if (chunk.length < ITEMS_MAX && length < LENGTH_MAX) continue;
      yield await makeReady(chunk);
      chunk = [];
      length = 0;
    }
  if (chunk.length > 0) yield await makeReady(chunk);
}
