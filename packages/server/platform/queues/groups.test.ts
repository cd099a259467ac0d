import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { openGroupReader } from "./groups.ts";

/** A reader whose reads wait until the test ends them; a result is the item with the number of its read. */
function open(groupMax = 100) {
  const reads: { items: readonly string[]; end: PromiseWithResolvers<void> }[] = [];
  const read = openGroupReader<string, string>({
    keyOf: (item) => item.slice(0, 1),
    groupMaxOf: () => groupMax,
    async read(items) {
      const end = Promise.withResolvers<void>();
      const number = reads.push({ items, end });
      await end.promise;
      return items.map((item) => `${item} of read ${number}`);
    },
  });
  // The first immediate begins the read of a group that ended, the second one follows it.
  const nextRead = async () => {
    await setImmediate();
    await setImmediate();
  };
  const endRead = async (at: number, error?: Error): Promise<void> => {
    if (error) reads[at]?.end.reject(error);
    else reads[at]?.end.resolve();
    await nextRead();
  };
  return { read, nextRead, endRead, listReads: () => reads.map(({ items }) => items) };
}

describe("a reader in groups", () => {
  it("reads items of a key that arrive at once together", async () => {
    const { read, nextRead, endRead, listReads } = open();
    const both = [read("a1"), read("a2")];
    await nextRead();
    assert.deepEqual(listReads(), [["a1", "a2"]]);
    await endRead(0);
    assert.deepEqual(await Promise.all(both), ["a1 of read 1", "a2 of read 1"]);
  });

  it("reads items of a key that arrive during a read together, after it", async () => {
    const { read, nextRead, endRead, listReads } = open();
    const first = read("a1");
    await nextRead();
    const later = [read("a2"), read("a3"), read("a2")];
    assert.deepEqual(listReads(), [["a1"]]);
    await endRead(0);
    assert.equal(await first, "a1 of read 1");
    assert.deepEqual(listReads(), [["a1"], ["a2", "a3", "a2"]]);
    await endRead(1);
    assert.deepEqual(await Promise.all(later), ["a2 of read 2", "a3 of read 2", "a2 of read 2"]);
  });

  it("reads other keys at the same time, and at most the maximum of a key at once", async () => {
    const { read, nextRead, endRead, listReads } = open(2);
    const all = [read("a1"), read("b1"), read("a2"), read("a3"), read("a4"), read("a5")];
    await nextRead();
    assert.deepEqual(listReads(), [["a1", "a2"], ["b1"]]);
    await endRead(0);
    await endRead(2);
    assert.deepEqual(listReads().slice(2), [["a3", "a4"], ["a5"]]);
    await endRead(1);
    await endRead(3);
    assert.equal((await Promise.all(all)).length, 6);
  });

  it("rejects the items of a failed read only", async () => {
    const { read, nextRead, endRead } = open();
    const failed = assert.rejects(read("a1"), /lost/);
    await nextRead();
    const next = read("a2");
    await endRead(0, new Error("lost"));
    await failed;
    await endRead(1);
    assert.equal(await next, "a2 of read 2");
  });
});
