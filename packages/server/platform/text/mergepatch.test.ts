import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { mergePatch } from "./mergepatch.ts";

/** RFC 7396 appendix A: original, patch, result. */
const appendixA: [string, string, string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

for (const [original, patch, result] of appendixA) {
  test(`RFC 7396 appendix A: ${original} patched with ${patch} is ${result}`, () => {
    assert.equal(JSON.stringify(mergePatch(JSON.parse(original), JSON.parse(patch))), result);
  });
}

test("does not set a prototype", () => {
  const patch = JSON.parse(
    '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
  );
  const patched = mergePatch(JSON.parse('{"a":1}'), patch);
  assert.ok(typeof patched === "object" && patched !== null);
  assert.equal(Object.getPrototypeOf(patched), Object.prototype);
  assert.equal("admin" in patched, false);
  assert.equal("admin" in {}, false);
  assert.deepEqual(Object.keys(patched), ["a", "__proto__", "constructor"]);
});

test("changes neither the original nor the patch", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (original, patch) => {
      const before = JSON.stringify([original, patch]);
      mergePatch(original, patch);
      assert.equal(JSON.stringify([original, patch]), before);
    }),
  );
});

test("is idempotent", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (original, patch) => {
      const once = mergePatch(original, patch);
      assert.deepEqual(mergePatch(once, patch), once);
    }),
  );
});

test("applies a patch of 64 levels", () => {
  let patch: unknown = "deep";
  for (let level = 0; level < 64; level += 1) patch = { a: patch };
  assert.deepEqual(mergePatch({}, patch), patch);
});
