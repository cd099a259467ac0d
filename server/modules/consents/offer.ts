/** What consents are collected for (wire section 4). */
export const collections = ["cookies", "processings", "contracts"] as const;
export type Collection = (typeof collections)[number];

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
  /** Always on and never asked. */
  required: boolean;
  /** How long an answer lasts; null: for ever. */
  expiresAfterDays: number | null;
}

/** Whether consents are collected for this resource of the vault. */
export function isCollection(resource: string): resource is Collection {
  return collections.some((collection) => collection === resource);
}
