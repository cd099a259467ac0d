import assert from "node:assert/strict";
import { test } from "node:test";
import { makeOnce } from "./making.ts";

test("a file is compressed once for all who ask for it, and again after it failed", async () => {
  const asked: string[] = [];
  const make = makeOnce(async (coding: string) => {
    asked.push(coding);
    if (asked.length === 1) throw new Error("no memory");
    return coding.toUpperCase();
  });
  const both = await Promise.allSettled([make("br"), make("br")]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
    "all who waited hear of it",
  );
  assert.deepEqual(await Promise.all([make("br"), make("br"), make("gzip")]), ["BR", "BR", "GZIP"]);
  assert.deepEqual(asked, ["br", "br", "gzip"]);
});
