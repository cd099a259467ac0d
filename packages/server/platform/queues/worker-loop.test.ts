import assert from "node:assert/strict";
import { test } from "node:test";
import { openWorkerLoop } from "./worker-loop.ts";

const HOUR_MS = 3_600_000;

test("wakes from a pause at once", async () => {
  const started = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  let count = 0;
  await using loop = openWorkerLoop(
    async () => {
      started[count]?.resolve();
      count += 1;
      return HOUR_MS;
    },
    { retryMs: HOUR_MS, onError: (error) => assert.ifError(error) },
  );
  await started[0]?.promise;
  loop.wake();
  await started[1]?.promise;
  assert.equal(count, 2);
});

test("skips the pause when woken during a run", async () => {
  const second = Promise.withResolvers<void>();
  let count = 0;
  await using loop = openWorkerLoop(
    async () => {
      count += 1;
      if (count === 1) queueMicrotask(() => loop.wake());
      if (count === 2) second.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      return HOUR_MS;
    },
    { retryMs: HOUR_MS, onError: (error) => assert.ifError(error) },
  );
  await second.promise;
  assert.equal(count, 2);
});

test("cannot be woken before the retry after an error, and ends at once when disposed", async () => {
  const failed = Promise.withResolvers<void>();
  let count = 0;
  const loop = openWorkerLoop(
    async () => {
      count += 1;
      throw new Error("no");
    },
    { retryMs: HOUR_MS, onError: () => failed.resolve() },
  );
  await failed.promise;
  await new Promise((resolve) => setImmediate(resolve));
  loop.wake();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(count, 1);
  await loop[Symbol.asyncDispose]();
});
