import assert from "node:assert/strict";
import { test } from "node:test";
import { isObject, readList, readObject, readObjects, readText } from "./json.ts";

const values = [undefined, null, 0, true, "", " ", "a", [], [null, { a: 1 }, "b"], {}, { a: 1 }];

test("takes only objects for objects", () => {
  assert.deepEqual(values.filter(isObject), [{}, { a: 1 }]);
  assert.deepEqual(
    values.map(readObject).filter((one) => Object.keys(one).length > 0),
    [{ a: 1 }],
  );
});

test("takes only lists for lists, and of their items the objects", () => {
  assert.deepEqual(values.flatMap(readList), [null, { a: 1 }, "b"]);
  assert.deepEqual(values.flatMap(readObjects), [{ a: 1 }]);
});

test("takes only visible texts for texts", () => {
  assert.deepEqual(
    values.flatMap((value) => readText(value) ?? []),
    ["a"],
  );
});
