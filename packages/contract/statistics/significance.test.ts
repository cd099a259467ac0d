import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compare } from "./significance.ts";

const isNear = (value: number | undefined, expected: number): void =>
  assert.ok(Math.abs((value ?? Number.NaN) - expected) < 1e-4, `${value} is not ${expected}`);

describe("the comparison of two variants", () => {
  it("returns the p-value and interval that statistics software returns", () => {
    // R: prop.test(c(120, 150), c(1000, 1000), correct = FALSE)
    const found = compare({ shown: 1_000, accepted: 120 }, { shown: 1_000, accepted: 150 });
    isNear(found?.p, 0.049_633);
    isNear(found?.difference, 0.03);
    isNear(found?.interval[0], 0.000_086);
    isNear(found?.interval[1], 0.059_914);
    assert.equal(found?.isEnough, true);
  });

  it("finds no difference between equal rates, nor in nothing", () => {
    isNear(compare({ shown: 50, accepted: 25 }, { shown: 100, accepted: 50 })?.p, 1);
    assert.equal(compare({ shown: 0, accepted: 0 }, { shown: 5, accepted: 5 }), undefined);
    assert.equal(compare({ shown: 5, accepted: 5 }, { shown: 5, accepted: 5 })?.p, 1);
  });

  it("requires ten of each kind", () => {
    const rates = [
      { shown: 1_000, accepted: 9 },
      { shown: 1_000, accepted: 500 },
    ] as const;
    assert.equal(compare(...rates)?.isEnough, false);
  });
});
