import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readImporters, selectAffected } from "./affected.ts";

const tests = [
  "packages/server/modules/vault/schemas/diff.test.ts",
  "test/interface/vault-diff.test.ts",
  "test/interface/auth.test.ts",
];
const importers = new Map([
  [
    "packages/server/modules/vault/schemas/diff.ts",
    new Set(["packages/server/modules/vault/schemas/diff.test.ts", "packages/server/app.ts"]),
  ],
  ["packages/server/app.ts", new Set(["test/harness.ts"])],
  [
    "test/harness.ts",
    new Set(["test/interface/vault-diff.test.ts", "test/interface/auth.test.ts"]),
  ],
]);

describe("the tests that a change affects", () => {
  it("include those that import the file, and the interface tests named after its module", () => {
    assert.deepEqual(
      selectAffected("packages/server/modules/vault/schemas/diff.ts", tests, importers),
      ["packages/server/modules/vault/schemas/diff.test.ts", "test/interface/vault-diff.test.ts"],
    );
  });

  it("include all interface tests for the harness and the composition root", () => {
    for (const changed of ["test/harness.ts", "packages/server/app.ts"])
      assert.deepEqual(selectAffected(changed, tests, importers), tests.slice(1));
  });

  it("include a changed test file", () => {
    assert.deepEqual(selectAffected(tests[2] ?? "", tests, importers), [tests[2]]);
  });

  it("follow the imports of the tree", () => {
    assert.ok(readImporters().get("test/runner/affected.ts")?.has("test/runner/affected.test.ts"));
  });
});
