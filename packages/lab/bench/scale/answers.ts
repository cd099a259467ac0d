// Answers of generated visitors, and their frequencies.

/** Accepts or refuses everything, or accepts some vendors only. */
export type Answer = "all" | "none" | "half" | "three" | "one";

/** The vendors that an answer accepts. The answer as a whole is an acceptance if it accepts one. */
export const accepts: Readonly<Record<Answer, (at: number) => boolean>> = {
  all: () => true,
  none: () => false,
  half: (at) => at % 2 === 0,
  three: (at) => at < 3,
  one: (at) => at === 1,
};

/** Consecutive answers of a visitor to a form, and the share of visitors with these answers. */
export interface Pattern {
  answers: readonly Answer[];
  share: number;
}

/** Most visitors answer once; some change their mind, or are asked again on another day. */
export const patterns: readonly Pattern[] = [
  { answers: ["all"], share: 0.5 },
  { answers: ["none"], share: 0.22 },
  { answers: ["half"], share: 0.06 },
  { answers: ["three"], share: 0.04 },
  { answers: ["one"], share: 0.03 },
  { answers: ["all", "all"], share: 0.04 },
  { answers: ["none", "all"], share: 0.03 },
  { answers: ["none", "none"], share: 0.02 },
  { answers: ["all", "none"], share: 0.02 },
  { answers: ["all", "half"], share: 0.01 },
  { answers: ["half", "all"], share: 0.01 },
  { answers: ["all", "none", "all"], share: 0.01 },
  { answers: ["none", "half", "all"], share: 0.01 },
];

/**
 * Visitors with many answers. In each cycle every vendor is accepted once and refused once, so that no answer
 * is unchanged for longer than a cycle. The first cycle differs, because nothing is withdrawn in it.
 */
const cycle: readonly Answer[] = ["all", "half", "none", "three"];
export const heavyAnswers: readonly Answer[] = [...cycle, ...cycle];
/** The number of the pattern with many answers, after those above. */
export const HEAVY = patterns.length;

/** The lower bounds of shares, from 0 to 1. */
export function toBounds(parts: readonly number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let reached = 0;
  return parts.map((part) => {
    const bound = reached / whole;
    reached += part;
    return bound;
  });
}

/** Shares of projects by Zipf's law: the second has half the share of the first. */
export function toShares(projects: number): number[] {
  return Array.from({ length: projects }, (_, at) => 1 / (at + 1));
}
