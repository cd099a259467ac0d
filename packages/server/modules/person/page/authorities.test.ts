import assert from "node:assert/strict";
import { test } from "node:test";
import { regionGroups } from "@avow/contract/regions";
import { findAuthority } from "./authorities.ts";

test("finds an authority for each country of the EEA, and for parts of France and California", () => {
  for (const country of regionGroups["EEA"] ?? []) assert.ok(findAuthority(country), country);
  assert.equal(findAuthority("FR-75")?.name, "CNIL");
  assert.equal(findAuthority("RE")?.name, "CNIL");
  assert.match(findAuthority("US-CA")?.name ?? "", /California/);
});

test("finds none for an unknown region, or one without an authority in the table", () => {
  for (const region of [undefined, "US", "US-TX", "BR"])
    assert.equal(findAuthority(region), undefined);
});
