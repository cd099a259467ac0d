import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { toMatcher } from "./patterns.ts";

describe("a pattern of names", () => {
  for (const [pattern, yes, no] of [
    ["_ga", ["_ga"], ["_gat", "a_ga", "_GA"]],
    ["_ga*", ["_ga", "_gat", "_ga_X1"], ["a_ga", "_g"]],
    ["*_id", ["_id", "a_id"], ["_id1"]],
    ["_pk_*.1", ["_pk_.1", "_pk_id.2.1"], ["_pk_id.1.2", "_pk_1"]],
    ["a*b*a", ["aba", "aXbYa", "abba"], ["ab", "aa", "ba"]],
    ["aa*aa", ["aaaa", "aabaa"], ["aaa", "aa"]],
    ["(a+)+*$", ["(a+)+x$"], ["aaaa$"]],
    ["*", [], ["a", ""]],
    ["***", [], ["a"]],
  ] as const)
    it(`${pattern} matches ${yes.join(", ")} and not ${no.join(", ")}`, () => {
      const matches = toMatcher([pattern]);
      for (const name of yes) assert.equal(matches(name), true, name);
      for (const name of no) assert.equal(matches(name), false, name);
    });

  it("matches as a regular expression does", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
    fc.assert(
      fc.property(letters, names, (pattern, name) => {
        const isWild = /^\**$/.test(pattern) && pattern !== "";
        const expected = !isWild && new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name);
        assert.equal(toMatcher([pattern])(name), expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes linear time for a name that almost matches", () => {
    const matches = toMatcher(Array.from({ length: 500 }, (_, at) => `${"a*".repeat(100)}${at}`));
    const start = performance.now();
    assert.equal(matches("a".repeat(4_000)), false);
    assert.ok(performance.now() - start < 1_000);
    assert.equal(matches("a".repeat(4_097)), false, "longer names are not compared");
  });
});
