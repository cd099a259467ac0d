import type { Item } from "./format.ts";

/** What one transaction keeps at most. */
const ITEMS_MAX = 2_000;
const BYTES_MAX = 2 * 1024 * 1024;

/** Puts items together to what one transaction keeps. The next ones are read while it is written. */
export async function* toChunks(items: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
  await using cut = cutChunks(items);
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

async function* cutChunks(items: AsyncIterable<Item[]>): AsyncGenerator<Item[], undefined> {
  let chunk: Item[] = [];
  let bytes = 0;
  for await (const some of items)
    for (const item of some) {
      chunk.push(item);
      bytes += item.bytes.length;
      if (chunk.length < ITEMS_MAX && bytes < BYTES_MAX) continue;
      yield chunk;
      chunk = [];
      bytes = 0;
    }
  if (chunk.length > 0) yield chunk;
}
