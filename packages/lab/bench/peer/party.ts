import type { Scenario } from "../measure/load.ts";

export const kinds = ["collect", "read by subject", "check"] as const;
export type Kind = (typeof kinds)[number];

/** One of the two services that are compared. */
export interface Party {
  title: string;
  /** Sees to it that `count` visitors' consents are stored. */
  fill: (count: number) => Promise<void>;
  /** How many consents are stored. */
  count: () => Promise<number>;
  /** Resets it to the initial visitors, if collected consents would affect the next round. */
  reset?: () => Promise<void>;
  /** Throws unless what is stored of some visitors is read back as it was given. */
  assertReadable: () => Promise<void>;
  /** Reads are of visitors that are stored, picked at random; each collected consent is a new visitor's. */
  toScenario: (kind: Kind) => Scenario;
}

/** Some of the visitors from 0 to `count`, the first and the last too. */
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
