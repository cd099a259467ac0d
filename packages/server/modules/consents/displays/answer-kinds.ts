import { type AnswerKind, toAnswerKind } from "@avow/contract/answers";
import type { Answers } from "../states/states.ts";

/** The kind of a record's answer. */
export function toKind(answers: Answers, accept: boolean): AnswerKind {
  let accepted = 0;
  let asked = 0;
  for (const [item, { answer }] of answers) {
    if (item === "") continue;
    asked += 1;
    if (answer === "accepted") accepted += 1;
  }
  return toAnswerKind(accept, asked, accepted);
}
