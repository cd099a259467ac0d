import type { Db, Tx } from "../../../platform/db/db.ts";
import { type OfferedRow, findOfferedRows, listOfferedRows } from "./offers-store.ts";
import { type Collection, isCollection } from "@avow/contract/collections";
import { type Offer, type OfferKey, compareOfferKeys } from "./offer.ts";
import { toOffers, resolveVendors } from "./offers.ts";

export { hasAllLive } from "./offers-store.ts";

/** A configuration that can be answered, with its offers. */
export interface OfferedConfiguration {
  identifier: string;
  collection: Collection;
  /** The live version that contains it; null: it is not published. */
  version: number | null;
  /** By item, '' for the configuration as a whole. */
  offers: ReadonlyMap<string, Offer>;
}

/**
 * The offers of these configurations of a project: from its live version (or from `version`), or from the vault for
 * configurations that the version does not contain. Undefined without the project.
 */
export async function findOffered(
  db: Db | Tx,
  query: { projectId: string; identifiers: readonly string[]; version?: number | undefined },
): Promise<ReadonlyMap<string, OfferedConfiguration> | undefined> {
  const rows = await findOfferedRows(db, query);
  const [first] = rows;
  if (!first) return undefined;
  const drafts = new Set(rows.filter((row) => row.body).map((row) => row.identifier));
  const byIdentifier = Map.groupBy(
    await toOffersOf(db, query.projectId, rows),
    (offer) => offer.identifier,
  );
  return new Map(
    [...byIdentifier].flatMap(([identifier, offers]) => {
      const [whole] = offers;
      if (!whole) return [];
      const { collection } = whole;
      const version = drafts.has(identifier) ? null : first.live_version;
      const byItem = new Map(offers.map((offer) => [offer.item, offer]));
      return [[identifier, { identifier, collection, version, offers: byItem }] as const];
    }),
  );
}

/** A part of a list; `end` is the position after it (undefined: at the end of the list). */
export interface Stretch<T> {
  items: T[];
  end: OfferKey | undefined;
}

/** The offers of a project from a position on, in order: about `limit` (see `listOfferedRows`). */
export async function listOffered(
  db: Db,
  query: { projectId: string; from: OfferKey; limit: number; version?: number | undefined },
): Promise<Stretch<Offer>> {
  return toStretch(db, query, await listOfferedRows(db, query));
}

/** The offers of a published version, at most `limit`, without configurations that it does not contain. */
export async function listVersionOffers(
  db: Db,
  query: { projectId: string; version: number; limit: number },
): Promise<Stretch<Offer>> {
  const whole = { ...query, from: { identifier: "", item: "" } };
  const rows = await listOfferedRows(db, whole);
  return toStretch(
    db,
    whole,
    rows.filter(({ item }) => item !== null),
  );
}

async function toStretch(
  db: Db,
  query: { projectId: string; from: OfferKey; limit: number },
  rows: readonly OfferedRow[],
): Promise<Stretch<Offer>> {
  const live = rows.filter((row) => row.item !== null);
  const ends = [
    // With as many rows as requested, more may follow the last one.
    ...(live.length === query.limit ? live.slice(-1) : []),
    ...rows.filter((row) => row.item === null && row.body === null),
  ].map(({ identifier, item }) => ({ identifier: identifier ?? "", item: item ?? "" }));
  const [end] = ends.toSorted(compareOfferKeys);
  const items = (await toOffersOf(db, query.projectId, rows))
    .filter((offer) => compareOfferKeys(offer, query.from) >= 0)
    .filter((offer) => !end || compareOfferKeys(offer, end) < 0)
    .toSorted(compareOfferKeys);
  return { items, end };
}

async function toOffersOf(
  db: Db | Tx,
  projectId: string,
  rows: readonly OfferedRow[],
): Promise<Offer[]> {
  const drafts = rows.flatMap(({ identifier, collection, body }) =>
    identifier !== null && collection !== null && body !== null
      ? [{ id: identifier, resource: collection, body }]
      : [],
  );
  const computed = drafts.length > 0 ? toOffers(await resolveVendors(db, projectId, drafts)) : [];
  return [...rows.flatMap(toLiveOffers), ...computed];
}

function toLiveOffers(row: OfferedRow): Offer[] {
  const { identifier, collection, item, name, substance } = row;
  if (identifier === null || collection === null || !isCollection(collection)) return [];
  if (item === null || name === null || substance === null) return [];
  const required = row.required === true;
  const expiresAfterDays = row.expires_after_days;
  const covers = row.covers ?? [];
  return [{ identifier, item, collection, name, substance, covers, required, expiresAfterDays }];
}
