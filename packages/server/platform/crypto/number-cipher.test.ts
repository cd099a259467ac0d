import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { openNumberCipher } from "./number-cipher.ts";

const secret = randomBytes(32);
const cipher = openNumberCipher(secret, "tests");

test("decrypts each number it encrypted, and always encrypts it to the same text", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      const text = cipher.encrypt(value);
      assert.match(text, /^[0-9a-f]{32}$/);
      assert.equal(openNumberCipher(secret, "tests").encrypt(value), text);
      assert.equal(cipher.decrypt(text), value);
    }),
  );
});

test("texts of consecutive numbers are not in their order", () => {
  const texts = Array.from({ length: 64 }, (_, value) => cipher.encrypt(value));
  assert.equal(new Set(texts).size, 64);
  assert.notDeepEqual(texts, texts.toSorted());
});

test("rejects texts of another purpose or secret, changed texts and any other", () => {
  const text = cipher.encrypt(7);
  assert.equal(openNumberCipher(secret, "others").decrypt(text), undefined);
  assert.equal(openNumberCipher(randomBytes(32), "tests").decrypt(text), undefined);
  for (let at = 0; at < text.length; at += 1) {
    const digit = text[at] === "0" ? "1" : "0";
    assert.equal(cipher.decrypt(text.slice(0, at) + digit + text.slice(at + 1)), undefined);
  }
  for (const other of ["", "7", text.toUpperCase(), `${text}0`, text.slice(1), ` ${text}`])
    assert.equal(cipher.decrypt(other), undefined, other);
});
