import assert from "node:assert/strict";
import { test } from "node:test";
import { hashToken, newAccessToken, newConsentToken } from "./tokens.ts";

test("an access token is prefixed, URL-safe and 256 bits long, and comes with its hash", () => {
  const { token, hash } = newAccessToken();
  assert.match(token, /^avw_[A-Za-z0-9_-]{43}$/);
  assert.equal(hash.length, 32);
  assert.deepEqual(hash, hashToken(token));
});

test("a token's hash is SHA-256 of its UTF-8 bytes", () => {
  assert.equal(
    hashToken("abc").toString("hex"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assert.notDeepEqual(hashToken("abc"), hashToken("abd"));
});

test("a visitor's token is 22 URL-safe characters", () => {
  assert.match(newConsentToken(), /^[A-Za-z0-9_-]{22}$/);
});

test("tokens do not repeat", () => {
  const tokens = Array.from({ length: 500 }, () => [newAccessToken().token, newConsentToken()]);
  assert.equal(new Set(tokens.flat()).size, 1000);
});
