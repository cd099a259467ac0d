import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject, readList, readObject, readObjects, readText } from "./json.ts";

const values = [undefined, null, 0, true, "", " ", "a", [], [null, { a: 1 }, "b"], {}, { a: 1 }];

test("isObject accepts only objects, and readObject returns {} for other values", () => {
  assert.deepEqual(values.filter(isObject), [{}, { a: 1 }]);
  assert.deepEqual(
    values.map(readObject).filter((one) => Object.keys(one).length > 0),
    [{ a: 1 }],
  );
});

test("readList returns [] for other values, and readObjects drops items that are not objects", () => {
  assert.deepEqual(values.flatMap(readList), [null, { a: 1 }, "b"]);
  assert.deepEqual(values.flatMap(readObjects), [{ a: 1 }]);
});

test("readText ignores blank texts", () => {
  assert.deepEqual(
    values.flatMap((value) => readText(value) ?? []),
    ["a"],
  );
});
