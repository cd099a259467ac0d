import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { hashToken, newAccessToken, newConsentToken } from "./tokens.ts";

test("creates a prefixed, URL-safe access token of 256 bits with its hash", () => {
  const { token, hash } = newAccessToken();
  assert.match(token, /^avw_[A-Za-z0-9_-]{43}$/);
  assert.equal(hash.length, 32);
  assert.deepEqual(hash, hashToken(token));
});

test("hashes a token's UTF-8 bytes with SHA-256", () => {
  assert.equal(
    hashToken("abc").toString("hex"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assert.notDeepEqual(hashToken("abc"), hashToken("abd"));
});

test("a visitor's token has 9 characters of time and 22 URL-safe ones of 128 random bits", () => {
  const token = newConsentToken(new Date("2026-03-04T05:06:07.089Z"));
  assert.match(token, /^[0-9a-z]{9}[A-Za-z0-9_-]{22}$/);
  assert.equal(Number.parseInt(token.slice(0, 9), 36), Date.parse("2026-03-04T05:06:07.089Z"));
  assert.equal(Buffer.from(token.slice(9), "base64url").length, 16);
});

test("visitors' tokens sort by time as bytes, for centuries", () => {
  const years = { min: new Date("1970-01-01T00:00:00Z"), max: new Date("5188-01-01T00:00:00Z") };
  const instants = fc.date({ ...years, noInvalidDate: true });
  fc.assert(
    fc.property(instants, instants, (one, other) => {
      fc.pre(one.getTime() !== other.getTime());
      const sorted = Buffer.compare(
        Buffer.from(newConsentToken(one)),
        Buffer.from(newConsentToken(other)),
      );
      assert.equal(sorted, one < other ? -1 : 1);
    }),
  );
  for (const at of ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"])
    assert.equal(newConsentToken(new Date(at)).length, 31);
});

test("visitors' tokens sort after older ones that begin with minutes in 6 characters", () => {
  const earlier = `${Math.floor(Date.parse("2026-11-23T16:00:00Z") / 60_000)
    .toString(36)
    .padStart(6, "0")}zzzz`;
  assert.ok(newConsentToken(new Date("2026-11-23T16:00:00Z")) > earlier);
});

test("tokens do not repeat", () => {
  const now = new Date();
  const tokens = Array.from({ length: 500 }, () => [newAccessToken().token, newConsentToken(now)]);
  assert.equal(new Set(tokens.flat()).size, 1000);
});
