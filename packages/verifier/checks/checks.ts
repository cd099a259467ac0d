import type { Bundle, ConsistencyProof } from "../formats/bundle.ts";
import type { Checkpoint } from "../formats/checkpoint.ts";
import type { VerifierKey } from "../formats/verifier-key.ts";
import type { Words } from "../words/en.ts";

/** One thing that was looked at. */
export interface Check {
  /** Which; the same in every language. */
  name: string;
  /** Null: nothing speaks against it, and nothing that was given establishes it. */
  holds: boolean | null;
  /** What was found, in plain words. */
  says: string;
}

/** `proven` when every check holds, `broken` when one does not, else `open`. */
export type Verdict = "proven" | "open" | "broken";

/** The one check of a file that is no bundle: nothing in it was there to be proven. */
export const NO_BUNDLE = "no-bundle";

export interface Report {
  verdict: Verdict;
  checks: Check[];
  /** What was read, where it could be. Nothing in it is worth more than the verdict. */
  bundle?: Bundle;
}

/** What every check is made with. */
export interface Context {
  bundle: Bundle;
  kept: Checkpoint | undefined;
  consistency: readonly ConsistencyProof[];
  trusted: readonly VerifierKey[];
  /** The trusted keys and those that the bundle names. */
  known: readonly VerifierKey[];
  says: Words["says"];
}

/** What a report adds up to, in one sentence. */
export function toHeading(
  { verdict, checks }: Pick<Report, "verdict" | "checks">,
  words: Words,
): string {
  const isStranger = checks.some(({ name }) => name === NO_BUNDLE);
  return isStranger ? words.noBundle : words.verdicts[verdict];
}

export function toVerdict(checks: readonly Check[]): Verdict {
  if (checks.some(({ holds }) => holds === false)) return "broken";
  return checks.some(({ holds }) => holds === null) ? "open" : "proven";
}
