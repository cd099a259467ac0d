import type { Answers } from "../states/states.ts";

/** What somebody answered: all that was asked, some of it, or none. */
export type Kind = "accepted" | "partly" | "refused";

/**
 * What a token's answer came to by a record: `accept` says whether anything is accepted, of what the record names and
 * what it leaves as it was. Where nothing is, all is refused; where it refuses some, it is in part. The same is said in
 * SQL by `addAnswers`, and by `toAnswer` in the admin app.
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
  return accepted === 0 && !accept ? "refused" : "partly";
}
