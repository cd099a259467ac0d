import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { storeDraft } from "./draft-storage.ts";

/** The part of the browser's storage that drafts use. Its own properties are the stored keys. */
class MemoryStorage {
  [key: string]: unknown;
  getItem(key: string): string | null {
    reads.push(key);
    return Object.hasOwn(this, key) ? String(this[key]) : null;
  }
  setItem(key: string, text: string): void {
    this[key] = text;
  }
  removeItem(key: string): void {
    delete this[key];
  }
}

let reads: string[] = [];

function store(n: number, at = n): void {
  const doc = { id: `d${n}`, title: String(at) };
  storeDraft({ userId: "u", doc, base: { doc, etag: '"1"' }, at });
}

const listStored = () => Object.keys(localStorage).map((key) => key.replace("avow-draft-", ""));

describe("drafts in the browser's storage", () => {
  beforeEach(() => {
    reads = [];
    Object.defineProperty(globalThis, "localStorage", {
      value: new MemoryStorage(),
      configurable: true,
    });
  });

  it("drops the oldest draft when an eleventh is stored", () => {
    for (let n = 1; n <= 11; n += 1) store(n);
    assert.deepEqual(
      listStored(),
      Array.from({ length: 10 }, (_, at) => `d${at + 2}`),
    );
  });

  it("reads no other draft when a stored one changes", () => {
    for (let n = 1; n <= 3; n += 1) store(n);
    reads = [];
    store(2, 20);
    assert.deepEqual(reads, ["avow-draft-d2"]);
    assert.equal(listStored().length, 3);
  });
});
