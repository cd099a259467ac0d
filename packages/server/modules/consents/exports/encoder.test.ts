import assert from "node:assert/strict";
import { it } from "node:test";
import { openInstants } from "./encoder.ts";

it("formats instants like Date, in any order", () => {
  const toInstant = openInstants();
  const second = 1_795_291_200_000;
  const all = [
    second,
    second + 1,
    second + 999,
    second + 1_000,
    second,
    0,
    1,
    999,
    1_000,
    -1,
    -999,
  ];
  for (const ms of [...all, -1_000, -62_135_596_800_000, 253_402_300_799_999, 253_402_300_800_000])
    assert.equal(toInstant(String(ms)), new Date(ms).toISOString());
});
