import assert from "node:assert/strict";
import { test } from "node:test";
import { openRounds } from "./rounds.ts";

const HOUR_MS = 3_600_000;

test("a round that is woken begins at once, though it paused for an hour", async () => {
  const begun = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  let count = 0;
  await using rounds = openRounds(
    async () => {
      begun[count]?.resolve();
      count += 1;
      return HOUR_MS;
    },
    { retryMs: HOUR_MS, onError: (error) => assert.ifError(error) },
  );
  await begun[0]?.promise;
  rounds.wake();
  await begun[1]?.promise;
  // Out of the round itself: the pause after it is left out.
  assert.equal(count, 2);
});

test("who wakes it while a round is running has the next one follow without a pause", async () => {
  const second = Promise.withResolvers<void>();
  let count = 0;
  await using rounds = openRounds(
    async () => {
      count += 1;
      if (count === 1) queueMicrotask(() => rounds.wake());
      if (count === 2) second.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      return HOUR_MS;
    },
    { retryMs: HOUR_MS, onError: (error) => assert.ifError(error) },
  );
  await second.promise;
  assert.equal(count, 2);
});

test("nobody wakes it before its time after a round that threw, and it ends at once when disposed", async () => {
  const failed = Promise.withResolvers<void>();
  let count = 0;
  const rounds = openRounds(
    async () => {
      count += 1;
      throw new Error("no");
    },
    { retryMs: HOUR_MS, onError: () => failed.resolve() },
  );
  await failed.promise;
  await new Promise((resolve) => setImmediate(resolve));
  rounds.wake();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(count, 1);
  await rounds[Symbol.asyncDispose]();
});
