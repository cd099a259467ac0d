import assert from "node:assert/strict";
import test from "node:test";
import { findTimeZone } from "./time-zone.ts";

test("finds names of IANA in any case, and no abbreviations, offsets or times", () => {
  assert.equal(findTimeZone("europe/paris"), "Europe/Paris");
  assert.equal(findTimeZone("Etc/GMT+5"), "Etc/GMT+5");
  assert.equal(findTimeZone("UTC"), "UTC");
  for (const text of ["PST", "+02:00", "Mars/Olympus", "", "2026-01-01T00:00[UTC]", "T12:00Z"])
    assert.equal(findTimeZone(text), undefined, text);
});
