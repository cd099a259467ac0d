import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo, isAsked, toAnswerKind } from "./answers.ts";

test("applies an answer to everything, or only to the items of its map", () => {
  assert.equal(answerTo("matomo", { accept: true }), true);
  assert.equal(answerTo("", { accept: false, vendors: { matomo: true } }), false);
  const answer = { accept: true, vendors: { matomo: false, chat: true } };
  assert.deepEqual(
    ["", "matomo", "chat", "ads", "toString"].map((item) => answerTo(item, answer)),
    [true, false, true, undefined, undefined],
  );
});

test("never asks for required items", () => {
  assert.deepEqual([{}, { required: false }, { required: true }].map(isAsked), [true, true, false]);
});

test("an answer is accepted, refused or in part", () => {
  const cases: [accept: boolean, named: number, accepted: number, kind: string][] = [
    [true, 0, 0, "accepted"],
    [false, 0, 0, "refused"],
    [true, 2, 2, "accepted"],
    [true, 2, 1, "partly"],
    [false, 2, 0, "refused"],
    // Something else stays accepted.
    [true, 2, 0, "partly"],
  ];
  for (const [accept, named, accepted, kind] of cases)
    assert.equal(toAnswerKind(accept, named, accepted), kind);
});
