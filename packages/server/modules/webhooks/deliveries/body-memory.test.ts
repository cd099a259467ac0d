import assert from "node:assert/strict";
import { test } from "node:test";
import { openBodyMemory } from "./body-memory.ts";

const KIB = 1_024;

test("limits one creator's bodies to an eighth, and leaves the rest to others", () => {
  const held = openBodyMemory(64 * KIB);
  assert.ok(held.reserve("ada", 4 * KIB));
  const second = held.reserve("ada", 4 * KIB);
  assert.ok(second);
  assert.equal(held.reserve("ada", 1), undefined);
  assert.ok(held.reserve("bob", 4 * KIB));
  second[Symbol.dispose]();
  assert.ok(held.reserve("ada", 4 * KIB));
});

test("is full while no short body fits", () => {
  const held = openBodyMemory(16 * KIB);
  assert.equal(held.isFull(), false);
  const long = held.reserve("ada", 12 * KIB);
  assert.equal(held.isFull(), true);
  long?.[Symbol.dispose]();
  assert.equal(held.isFull(), false);
});
