/** Resources of the vault whose configurations collect consents (wire section 4). */
export const collections = ["cookies", "processings", "contracts"] as const;
export type Collection = (typeof collections)[number];

export function isCollection(resource: string): resource is Collection {
  return collections.some((collection) => collection === resource);
}
