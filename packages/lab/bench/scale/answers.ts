// Answers of generated visitors, and their frequencies.

/** Yes or no to everything, or to some vendors only. */
export type Answer = "all" | "none" | "half" | "three" | "one";

/** Which of the vendors an answer accepts; it accepts as a whole when it accepts one. */
export const accepts: Readonly<Record<Answer, (at: number) => boolean>> = {
  all: () => true,
  none: () => false,
  half: (at) => at % 2 === 0,
  three: (at) => at < 3,
  one: (at) => at === 1,
};

/** Answers of one visitor to one form, one after the other, and the part of all visitors who give them. */
export interface Pattern {
  answers: readonly Answer[];
  share: number;
}

/** Most answer once; some change their mind, or are asked again on another day. */
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
 * Visitors who answer again and again. In a cycle every vendor is accepted once and refused once,
 * so that no answer's run is older than a cycle; the first cycle differs, since nothing was withdrawn yet.
 */
const cycle: readonly Answer[] = ["all", "half", "none", "three"];
export const heavyAnswers: readonly Answer[] = [...cycle, ...cycle];
/** The heavy pattern's number: it follows those above. */
export const HEAVY = patterns.length;

/** The lower bounds of parts of a whole, within 0 to 1. */
export function toBounds(parts: readonly number[]): number[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let reached = 0;
  return parts.map((part) => {
    const bound = reached / whole;
    reached += part;
    return bound;
  });
}

/** Shares of projects by Zipf's law: the second has half of what the first has. */
export function toShares(projects: number): number[] {
  return Array.from({ length: projects }, (_, at) => 1 / (at + 1));
}
