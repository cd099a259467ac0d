import type { Bundle, ConsistencyProof } from "../formats/bundle.ts";
import type { Checkpoint } from "../formats/checkpoint.ts";
import type { VerifierKey } from "../formats/verifier-key.ts";
import type { Words } from "../words/en.ts";

/** The result of one check. */
export interface Check {
  /** The id of the check, the same in every language. */
  name: string;
  /** Null when the check could not be made with the given keys and proofs. */
  holds: boolean | null;
  /** The result as a sentence. */
  says: string;
}

/** `proven` when every check holds, `broken` when one does not, else `open`. */
export type Verdict = "proven" | "open" | "broken";

/** The name of the only check of a file that is not a bundle. */
export const NO_BUNDLE = "no-bundle";

export interface Report {
  verdict: Verdict;
  checks: Check[];
  /** The parsed bundle, if it could be parsed. It is only as trustworthy as the verdict. */
  bundle?: Bundle;
}

/** The input of every check. */
export interface Context {
  bundle: Bundle;
  kept: Checkpoint | undefined;
  consistency: readonly ConsistencyProof[];
  trusted: readonly VerifierKey[];
  /** The trusted keys and those of the bundle. */
  known: readonly VerifierKey[];
  says: Words["says"];
}

/** The summary of a report. */
export function toHeading(
  { verdict, checks }: Pick<Report, "verdict" | "checks">,
  words: Words,
): string {
  const isOtherFile = checks.some(({ name }) => name === NO_BUNDLE);
  return isOtherFile ? words.noBundle : words.verdicts[verdict];
}

export function toVerdict(checks: readonly Check[]): Verdict {
  if (checks.some(({ holds }) => holds === false)) return "broken";
  return checks.some(({ holds }) => holds === null) ? "open" : "proven";
}
