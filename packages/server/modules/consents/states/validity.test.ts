import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstIdAt } from "../../../kernel/ids.ts";
import { monthsBefore, trackValidity } from "./validity.ts";

const day = (n: number) => new Date(Date.UTC(2020, 0, 1 + n));

/** The days of those records that are out of force on day 100. */
function endedOf(records: Record<number, Record<string, number | null>>): number[] {
  const ends = trackValidity(day(100));
  for (const [on, days] of Object.entries(records))
    ends.add({ id: firstIdAt(day(Number(on))), days: new Map(Object.entries(days)) });
  const ids = new Set(ends.end());
  return Object.keys(records)
    .map(Number)
    .filter((on) => ids.has(firstIdAt(day(on))));
}

describe("records out of force", () => {
  const cases: [string, Parameters<typeof endedOf>[0], number[]][] = [
    ["excludes an answer without expiry", { 1: { a: null } }, []],
    ["includes an expired answer", { 1: { a: 99 }, 2: { b: 99 } }, [1]],
    [
      "includes a record whose items were all answered again, expired or not",
      { 1: { a: null }, 2: { a: null } },
      [1],
    ],
    [
      "excludes a record with one answer still in force",
      { 1: { a: null, b: 1 }, 2: { b: 1 } },
      [2],
    ],
    [
      "includes a record once its last answer was given again",
      { 1: { a: null, b: 9 }, 2: { b: 1 }, 3: { a: 300 } },
      [1, 2],
    ],
    [
      "keeps a record without answers in force until the next record",
      { 1: {}, 2: { a: null }, 3: {} },
      [1],
    ],
    ["is empty without records", {}, []],
  ];
  for (const [name, records, expected] of cases)
    it(name, () => assert.deepEqual(endedOf(records), expected));
});

describe("months before", () => {
  it("uses the last day of a shorter month, and spans years", () => {
    const at = (text: string, months: number) => monthsBefore(new Date(text), months).toISOString();
    assert.equal(at("2026-03-31T10:00:00Z", 1), "2026-02-28T00:00:00.000Z");
    assert.equal(at("2024-03-31T10:00:00Z", 1), "2024-02-29T00:00:00.000Z");
    assert.equal(at("2026-01-15T23:59:59Z", 60), "2021-01-15T00:00:00.000Z");
    assert.equal(at("2026-01-15T00:00:00Z", 1), "2025-12-15T00:00:00.000Z");
  });
});
