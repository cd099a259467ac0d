import type { Item } from "./formats/format.ts";

/** What one transaction keeps at most. */
export const ITEMS_MAX = 1_000;
const LENGTH_MAX = 2 * 1024 * 1024;

/** What one transaction keeps, made ready. */
export interface Chunk<T> {
  ready: T;
  /**
   * Begins to read the next one: called when PostgreSQL has got its work, so that both work at once.
   * Otherwise it begins when it is asked for.
   */
  readOn: () => void;
}

/**
 * Puts items together to what one transaction keeps, and makes them ready for it. The next ones are
 * read and made ready while these are written, and no more than these.
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
      // Its failure is told when it is its turn.
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
