import assert from "node:assert/strict";
import { test } from "node:test";
import { withRetries } from "./retries.ts";

/** Fails with 1, 2, 3 … in the first `failures` calls. */
function failing(failures: number) {
  let calls = 0;
  const work = async (): Promise<number> => {
    calls += 1;
    if (calls <= failures) throw new Error(String(calls));
    return calls;
  };
  return { work, calls: () => calls };
}

const always = { attemptsMax: 4, isRetryable: () => true, pauseMs: 1 };

test("retries until success or the maximum number of attempts", async () => {
  assert.equal(await withRetries(failing(3).work, always), 4);
  const { work, calls } = failing(9);
  await assert.rejects(withRetries(work, always), /^Error: 4$/);
  assert.equal(calls(), 4);
});

test("throws an error that is not retryable at once", async () => {
  const { work, calls } = failing(9);
  const isRetryable = (error: unknown) => error instanceof Error && error.message !== "2";
  await assert.rejects(withRetries(work, { ...always, isRetryable }), /^Error: 2$/);
  assert.equal(calls(), 2);
});

test("throws the last failure when cancelled during a pause", async () => {
  const { work, calls } = failing(9);
  const hourMs = 3_600_000;
  const asked: unknown[] = [];
  const retrying = withRetries(work, {
    ...always,
    pauseMaxMs: hourMs,
    toPauseMs: (error) => {
      asked.push(error);
      return hourMs;
    },
    signal: AbortSignal.timeout(50),
  });
  await assert.rejects(retrying, /^Error: 1$/);
  assert.deepEqual([calls(), asked.length], [1, 1]);
});
