import type { Db, Tx } from "../../platform/db/db.ts";
import { findOfferedRows, type OfferedRow } from "./offers-store.ts";
import { type Collection, type Offer, isCollection } from "./offer.ts";
import { toOffers, writeOutVendors } from "./offers.ts";

/** A configuration that is there now, and what it asks for. */
export interface OfferedConfiguration {
  identifier: string;
  collection: Collection;
  /** The live version that it is part of; null when it is in none. */
  version: number | null;
  offers: readonly Offer[];
}

/**
 * What a project offers now, by configuration: what its live version says, and for configurations
 * that are in none, what the vault says. Undefined when there is no such project.
 */
export async function findOffered(
  db: Db | Tx,
  query: { projectId: string; identifiers?: readonly string[] },
): Promise<ReadonlyMap<string, OfferedConfiguration> | undefined> {
  const rows = await findOfferedRows(db, query);
  if (rows.length === 0) return undefined;
  const unpublished = rows.flatMap(({ identifier, collection, body }) =>
    identifier !== null && collection !== null && body !== null
      ? [{ id: identifier, resource: collection, body }]
      : [],
  );
  const offered = new Map<string, OfferedConfiguration & { offers: Offer[] }>();
  for (const row of rows) {
    if (row.identifier === null || row.collection === null || !isCollection(row.collection))
      continue;
    const { identifier, collection } = row;
    const known = offered.get(identifier) ?? {
      identifier,
      collection,
      version: row.item === null ? null : row.live_version,
      offers: [],
    };
    const offer = toOffer(row, collection, identifier);
    if (offer) known.offers.push(offer);
    offered.set(identifier, known);
  }
  const computed = unpublished.length > 0 ? toOffers(await writeOutVendors(db, unpublished)) : [];
  for (const offer of computed) offered.get(offer.identifier)?.offers.push(offer);
  return offered;
}

function toOffer(row: OfferedRow, collection: Collection, identifier: string): Offer | undefined {
  if (row.item === null || row.name === null || row.substance === null) return undefined;
  return {
    identifier,
    item: row.item,
    collection,
    name: row.name,
    substance: row.substance,
    required: row.required === true,
    expiresAfterDays: row.expires_after_days,
  };
}
