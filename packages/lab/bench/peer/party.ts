import type { Scenario } from "../measure/load.ts";

export const kinds = ["collect", "read by subject", "check"] as const;
export type Kind = (typeof kinds)[number];

/** One of the two compared services. */
export interface Party {
  title: string;
  /** Stores consents until `count` visitors have one. */
  fill: (count: number) => Promise<void>;
  /** The number of stored consents. */
  count: () => Promise<number>;
  /** Resets it to the initial visitors, if collected consents would affect the next round. */
  reset?: () => Promise<void>;
  /** Throws unless reads of some visitors return the sent answers. */
  assertReadable: () => Promise<void>;
  /** Reads are of random stored visitors; each collected consent is of a new visitor. */
  toScenario: (kind: Kind) => Scenario;
}

/** A sample of the visitors from 0 to `count`, including the first and the last. */
export function pickSome(count: number): number[] {
  return [0, 0.31, 0.62, 0.93, 1].map((part) => Math.floor(part * (count - 1)));
}

/** The vendors that an answer accepts, in order. */
export function toAccepted(vendors: Readonly<Record<string, boolean>> = {}): string {
  return Object.keys(vendors)
    .filter((slug) => vendors[slug])
    .toSorted()
    .join(", ");
}
