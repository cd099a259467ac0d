import type { Answers } from "../states.ts";

/** What somebody answered: all that was asked, some of it, or none. */
export type Kind = "accepted" | "partly" | "refused";

/**
 * What a record's answers amount to: by the vendors that were asked, or where there are none by the whole.
 * The same is said in SQL by `kindOf` in the store.
 */
export function toKind(answers: Answers, accept: boolean): Kind {
  let accepted = 0;
  let asked = 0;
  for (const [item, { answer }] of answers) {
    if (item === "") continue;
    asked += 1;
    if (answer === "accepted") accepted += 1;
  }
  if (asked === 0) return accept ? "accepted" : "refused";
  if (accepted === asked) return "accepted";
  return accepted === 0 ? "refused" : "partly";
}
