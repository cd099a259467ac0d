import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { findMalformed, toChildPointer } from "./wellformed.ts";

test("accepts well-formed JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary", maxDepth: 6 }), (value) => {
      const json = JSON.stringify(value);
      fc.pre(!json.includes(String.raw`\u0000`));
      assert.deepEqual(findMalformed(JSON.parse(json)), []);
    }),
  );
});

test("finds a fault anywhere and returns its pointer", () => {
  const bad = fc.constantFrom("a\0b", "\uD800", "\uDC00x", Infinity, -Infinity);
  const keys = fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { maxLength: 10 });
  fc.assert(
    fc.property(bad, keys, (fault, path) => {
      const sound = path.filter((key) => key !== "__proto__" && !key.includes("\0"));
      let value: unknown = fault;
      for (const key of sound.toReversed()) value = { before: [1, "é"], [key]: value };
      const faults = findMalformed(value);
      assert.equal(faults.length, 1);
      assert.equal(faults[0]?.path, sound.reduce(toChildPointer, ""));
    }),
  );
});

test("describes each kind of fault", () => {
  const value: unknown = JSON.parse(
    String.raw`{"nul":"a\u0000b","half":"\ud83d","huge":[1,1e400],"a~/\u0000":true,"\udc00":1,"ok":"\ud83d\ude00"}`,
  );
  assert.deepEqual(findMalformed(value), [
    { path: "/nul", message: "contains a NUL character" },
    { path: "/half", message: "contains half of a surrogate pair" },
    { path: "/huge/1", message: "is a number out of range" },
    { path: "/a~0~1\uFFFD", message: "has a name that contains a NUL character" },
    { path: "/\uFFFD", message: "has a name that contains half of a surrogate pair" },
  ]);
});

test("accepts a value at the depth limit and rejects one level more", () => {
  assert.deepEqual(findMalformed(toNested(63)), []);
  const faults = findMalformed(toNested(64));
  assert.equal(faults.length, 1);
  assert.equal(faults[0]?.message, "is nested deeper than 64 levels");
  assert.equal(faults[0]?.path, "/0".repeat(64));
});

for (const depth of [10_000, 1_000_000]) {
  test(`rejects ${depth} levels of arrays or objects quickly, without a stack overflow`, () => {
    const values = [toNested(depth), JSON.parse("[".repeat(depth) + "]".repeat(depth))];
    const start = performance.now();
    for (const value of values) assert.equal(findMalformed(value).length, 1);
    assert.ok(performance.now() - start < 1000);
  });
}

test("reports too many values as one fault, at the first value beyond the limit", () => {
  assert.deepEqual(findMalformed(Array(100_000).fill(0)), []);
  assert.deepEqual(findMalformed(Array(100_001).fill(0)), [
    { path: "/100000", message: "exceeds the limit of 100000 values" },
  ]);
  assert.equal(findMalformed(Array(200_000).fill(0), { depthMax: 2, nodesMax: 10 }).length, 1);
});

test("limits the number of faults and the length of pointers", () => {
  assert.equal(findMalformed(Array(5000).fill("\0")).length, 100);
  const [fault] = findMalformed({ ["k".repeat(100_000)]: { deeper: "\0" } });
  assert.equal(fault?.path.length, 256);
  assert.match(fault?.path ?? "", /^\/k+…$/);
});

function toNested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}
