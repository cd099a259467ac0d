import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeGroups, parseGroups, withoutGroups } from "./groups.ts";

test("reads names between commas, semicolons and bars, each once", () => {
  assert.deepEqual(parseGroups(" Retail, France;retail |  North   Sea ,"), [
    "Retail",
    "France",
    "North Sea",
  ]);
  assert.deepEqual(parseGroups(" ; "), []);
});

test("keeps the first of two names that differ in case, and the order", () => {
  assert.deepEqual(mergeGroups(["b", "A"], ["a", "B", "c"]), ["b", "A", "c"]);
});

test("removes names whatever their case", () => {
  assert.deepEqual(withoutGroups(["Retail", "France"], ["RETAIL", "Spain"]), ["France"]);
});
