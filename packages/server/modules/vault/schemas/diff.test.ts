import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { applyPatch } from "rfc6902";
import { diffBodies } from "./diff.ts";

/** Any JSON that a request can contain: no -0, no member __proto__. */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.stringify(value))
  .filter((text) => !text.includes("__proto__"))
  .map((text) => JSON.parse(text) as unknown);

test("patches one body to the other", () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const root = { body: structuredClone(before) };
      const results = applyPatch(root, diffBodies({ body: before }, { body: after }));
      assert.deepEqual(results.filter(Boolean), []);
      assert.deepEqual(root.body, after);
    }),
    { numRuns: 500 },
  );
});

test("lists one added, removed or changed vendor as one operation, at any index", () => {
  const list = ["a", "b", "c", "d"].map((name) => ({ name }));
  const [a, b, c, d] = list;
  assert.deepEqual(diffBodies(list, [a, { name: "x" }, b, c, d]), [
    { op: "add", path: "/1", value: { name: "x" } },
  ]);
  assert.deepEqual(diffBodies(list, [a, b, d]), [{ op: "remove", path: "/2" }]);
  assert.deepEqual(diffBodies(list, [a, b, { name: "C" }, d]), [
    { op: "replace", path: "/2/name", value: "C" },
  ]);
});

test("compares long arrays without common items quickly", () => {
  const before = Array.from({ length: 50_000 }, (_, n) => n);
  const after = before.map((n) => -n - 1);
  assert.equal(diffBodies({ x: before }, { x: after }).length, 50_000);
});
