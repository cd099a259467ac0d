import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { anyCharacter } from "../../../test/any-character.ts";
import { toLoginName } from "./logins.ts";

test("folds names that differ in case, width, composition or invisible characters to one", () => {
  for (const [one, other] of [
    ["Ada@Example.com", " ADA@EXAMPLE.COM\t"],
    ["straße", "STRASSE"],
    ["STRAẞE", "strasse"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["\u0130stanbul", "i\u0307stanbul"],
    ["admin", "adm\u0131n"],
    ["jose\u0301", "JOSÉ"],
    ["ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "ada@example.com"],
    ["ada", "a\u200Bd\u00ADa"],
  ] as const)
    assert.equal(toLoginName(one), toLoginName(other), one);
});

test("distinguishes all other names", () => {
  for (const [one, other] of [
    ["jose", "josé"],
    ["istanbul", "\u0130stanbul"],
    ["ada", "a da"],
    ["ada@example.com", "ada@example.co"],
  ] as const)
    assert.notEqual(toLoginName(one), toLoginName(other), one);
});

test("is idempotent, and independent of case", () => {
  const special = "ßẞİıΣςσſKÅǅǰΐև\u0300\u0345\u0307\u00AD\u200D ﬁ①ａ한가\u1100\u1161";
  const unit = fc.oneof(
    fc.constantFrom(...Array.from(special)),
    fc.string({ unit: anyCharacter, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const login = units.join("");
      const name = toLoginName(login);
      assert.equal(toLoginName(name), name);
      assert.equal(toLoginName(login.normalize("NFC").toLowerCase()), name);
      assert.equal(toLoginName(login.normalize("NFC").toUpperCase()), name);
      assert.equal(toLoginName(login.normalize("NFD")), name);
    }),
    { numRuns: 2_000 },
  );
});
