import type { Item } from "./format.ts";

/** What one transaction keeps at most. */
const ITEMS_MAX = 500;
const LENGTH_MAX = 2 * 1024 * 1024;

/**
 * Puts items together to what one transaction keeps, and makes them ready for it. The next ones are
 * read and made ready while these are written.
 */
export async function* toChunks<T>(
  items: AsyncIterable<Item[]>,
  makeReady: (chunk: Item[]) => Promise<T>,
): AsyncGenerator<T> {
  await using cut = cutChunks(items, makeReady);
  let next = cut.next();
  for (;;) {
    const { done, value } = await next;
    if (done) return;
    next = cut.next();
    // Its failure is told when it is its turn.
    next.catch(() => undefined);
    yield value;
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
