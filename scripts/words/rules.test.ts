import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findBreachesOfName,
  findBreachesOfTestName,
  findBreachesOfText,
  findBreachesOfType,
} from "./rules.mjs";

test("rejects sentences that open with a relative clause", () => {
  for (const text of [
    "What a proof contains.",
    "Fine. Who asks is told.",
    "So many of them.",
    "Of a key, its scopes.",
    "Where the key lies.",
  ])
    assert.notEqual(findBreachesOfText(text).length, 0, text);
  assert.equal(findBreachesOfTestName("what fails").length, 1);
});

test("accepts questions, nouns, and the words inside of others", () => {
  for (const text of ["What is a proof?", "The WHERE clause.", "Office hours.", "A storyteller."])
    assert.deepEqual(findBreachesOfText(text), [], text);
});

test("rejects banned words in texts and names, with the usual word", () => {
  assert.match(findBreachesOfText("The job goes\n  on.")[0] ?? "", /continues/);
  assert.equal(findBreachesOfName("tellError").length, 1);
  assert.equal(findBreachesOfName("wasTold").length, 1);
  assert.deepEqual(findBreachesOfName("intelligence"), []);
});

test("rejects types that are participles", () => {
  assert.equal(findBreachesOfType("Asked").length, 1);
  assert.deepEqual(findBreachesOfType("AskedQuestion"), []);
});
