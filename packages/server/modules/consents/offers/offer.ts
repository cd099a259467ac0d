import type { Collection } from "@avow/contract/collections";

/** One thing that a visitor is asked to agree to: a configuration as a whole (item ''), or one of its vendors. */
export interface Offer {
  identifier: string;
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  collection: Collection;
  /** What people call it. */
  name: string;
  /** A digest of what is agreed to, wording aside: when it changes, earlier answers are superseded. */
  substance: string;
  /** Earlier substances that ask for as much or more: who accepted one of them has accepted this. */
  covers: readonly string[];
  /** Always on and never asked. */
  required: boolean;
  /** How long an answer lasts; null: for ever. */
  expiresAfterDays: number | null;
}

/** Where an offer, or the answer to one, stands in lists of them. */
export type Place = Pick<Offer, "identifier" | "item">;

/** Whether `a` comes before (below 0), at (0) or after `b`. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.identifier !== b.identifier) return a.identifier < b.identifier ? -1 : 1;
  if (a.item === b.item) return 0;
  return a.item < b.item ? -1 : 1;
}
