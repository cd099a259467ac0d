import assert from "node:assert/strict";
import { test } from "node:test";
import { openRandomText } from "./random.ts";

test("returns text of the requested size, also at the end of the pool", () => {
  const takeRandomText = openRandomText();
  for (const size of [1, 16, 5_000, 3_176, 5_000, 8_192, 0, 8_192]) {
    assert.equal(Buffer.from(takeRandomText(size, "hex"), "hex").length, size);
    assert.equal(Buffer.from(takeRandomText(size, "base64url"), "base64url").length, size);
  }
  assert.throws(() => takeRandomText(8_193, "hex"), RangeError);
});

test("returns no random bytes twice, and every value of a byte", () => {
  const takeRandomText = openRandomText();
  const texts = Array.from({ length: 20_000 }, () => takeRandomText(7, "hex"));
  assert.equal(new Set(texts).size, texts.length);
  assert.equal(new Set(Buffer.from(texts.join(""), "hex")).size, 256);
});
