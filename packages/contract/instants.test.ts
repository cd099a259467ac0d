import assert from "node:assert/strict";
import { test } from "node:test";
import { parseInstants, toInstants } from "./instants.ts";

const first = (text: string) => parseInstants(text)?.first.toISOString();

test("reads a date as a day in UTC", () => {
  const { first: begin, last, end } = toInstants("2024-02-29");
  assert.deepEqual(
    [begin, last, end],
    [
      new Date("2024-02-29T00:00:00.000Z"),
      new Date("2024-02-29T23:59:59.999Z"),
      new Date("2024-03-01T00:00:00.000Z"),
    ],
  );
});

test("reads a date and time as one instant", () => {
  const { first: begin, last, end } = toInstants("2026-01-31T09:30:00Z");
  assert.deepEqual([last, end], [begin, begin]);
  for (const [text, expected] of Object.entries({
    "2026-01-31T09:30:00Z": "2026-01-31T09:30:00.000Z",
    "2026-01-31t09:30:00.1239z": "2026-01-31T09:30:00.123Z",
    "2026-01-31 09:30:00+01:00": "2026-01-31T08:30:00.000Z",
    "2026-01-31 09:30:00 01:00": "2026-01-31T08:30:00.000Z",
    "2026-01-31 09:30:00-0530": "2026-01-31T15:00:00.000Z",
    "2026-01-31T09:30": "2026-01-31T09:30:00.000Z",
    "0001-01-01": "0001-01-01T00:00:00.000Z",
    "9999-12-31": "9999-12-31T00:00:00.000Z",
  }))
    assert.equal(first(text), expected, text);
});

for (const text of [
  "",
  "yesterday",
  "2026-02-30",
  "2025-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-01-00",
  "0000-01-01",
  "10000-01-01",
  "+002026-01-01",
  "2026-1-1",
  "20260131",
  "2026-01-31T",
  "2026-01-31T24:00:00Z",
  "2026-01-31T09:60:00Z",
  "2026-01-31T09:30:60Z",
  "2026-01-31T09:30:00+24:00",
  "2026-01-31T09:30:00+01",
  "2026-01-31T09:30:00.Z",
  "2026-02-30T09:30:00Z",
  "0001-01-01T00:00:00+01:00",
  "9999-12-31T23:59:59-01:00",
  " 2026-01-31",
  "2026-01-31 ",
  "2026-01-31\n",
  `2026-01-31T09:30:00.${"0".repeat(100_000)}Z`,
])
  test(`rejects ${JSON.stringify(text.slice(0, 30))}`, () => {
    assert.equal(parseInstants(text), undefined);
    assert.throws(() => toInstants(text), RangeError);
  });
