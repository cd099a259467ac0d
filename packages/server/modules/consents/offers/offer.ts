import type { Collection } from "@avow/contract/collections";

/** A question to a visitor: about a configuration as a whole (item ''), or about one of its vendors. */
export interface Offer {
  identifier: string;
  /** '' for the configuration as a whole, otherwise the vendor's slug. */
  item: string;
  collection: Collection;
  /** The name shown to people. */
  name: string;
  /** A digest of the terms without wording. When it changes, earlier answers are superseded. */
  substance: string;
  /** Earlier substances that ask for as much or more, so that their acceptance counts for this one. */
  covers: readonly string[];
  /** Always active, without asking. */
  required: boolean;
  /** Days until an answer expires; null: never. */
  expiresAfterDays: number | null;
}

/** The position of an offer, or of its answer, in lists. */
export type OfferKey = Pick<Offer, "identifier" | "item">;

/** A comparator: negative if `a` comes before `b`. */
export function compareOfferKeys(a: OfferKey, b: OfferKey): number {
  if (a.identifier !== b.identifier) return a.identifier < b.identifier ? -1 : 1;
  if (a.item === b.item) return 0;
  return a.item < b.item ? -1 : 1;
}
