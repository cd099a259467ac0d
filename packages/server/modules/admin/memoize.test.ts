import assert from "node:assert/strict";
import { test } from "node:test";
import { memoize } from "./memoize.ts";

test("computes a value once for concurrent callers, and again after a failure", async () => {
  const calls: string[] = [];
  const make = memoize(async (coding: string) => {
    calls.push(coding);
    if (calls.length === 1) throw new Error("no memory");
    return coding.toUpperCase();
  });
  const both = await Promise.allSettled([make("br"), make("br")]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
    "all concurrent callers fail",
  );
  assert.deepEqual(await Promise.all([make("br"), make("br"), make("gzip")]), ["BR", "BR", "GZIP"]);
  assert.deepEqual(calls, ["br", "br", "gzip"]);
});
