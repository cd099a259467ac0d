import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ITEMS_MAX, toChunks } from "./chunks.ts";
import type { Item } from "./formats/format.ts";

async function* listItems(blocks: number, { each = 300, length = 10 } = {}) {
  for (let block = 0; block < blocks; block += 1) {
    await setImmediate();
    yield Array.from({ length: each }, (_, at): Item => {
      const line = block * each + at + 1;
      return { line, nextLine: line + 1, end: line, text: "x".repeat(length), reason: "none" };
    });
  }
}

test("yields each line once, in order, in chunks of limited number", async () => {
  const lines: number[] = [];
  for await (const { ready: part } of toChunks(listItems(10), async (items) => items)) {
    assert.ok(part.length <= ITEMS_MAX);
    lines.push(...part.map(({ line }) => line));
  }
  assert.deepEqual(
    lines,
    Array.from({ length: 3_000 }, (_, at) => at + 1),
  );
});

test("limits the length of chunks", async () => {
  const items = listItems(2, { each: 60, length: 100_000 });
  for await (const { ready: part } of toChunks(items, async (some) => some))
    assert.ok(part.length * 100_000 < 2 * 1024 * 1024 + 100_000);
});

test("prepares at most one chunk while another is written", async () => {
  let ready = 0;
  let written = 0;
  const parts = toChunks(listItems(20), async (items) => {
    ready += 1;
    return items;
  });
  for await (const { readOn } of parts) {
    if (written % 2 === 0) readOn();
    readOn();
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    written += 1;
    assert.ok(ready <= written + 1, `${ready} prepared, ${written} written`);
  }
  assert.equal(ready, written);
});

test("reports a chunk that cannot be prepared after the chunks before it", async () => {
  let made = 0;
  const parts = toChunks(listItems(40), async (items) => {
    made += 1;
    if (made === 3) throw new Error("the third");
    return items;
  });
  let written = 0;
  const write = async () => {
    for await (const { readOn } of parts) {
      readOn();
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      written += 1;
    }
  };
  await assert.rejects(write(), /the third/);
  assert.equal(written, 2);
});
