import type { DataDb, Db, Planes } from "../../../platform/db/db.ts";
import { type DraftRow, listDrafts, listDraftsFrom } from "./drafts-store.ts";
import {
  type OfferRow,
  listOfferedIdentifiers,
  listOffersFrom,
  listOffersOf,
} from "./offers-store.ts";
import { findCollectingProject } from "./projects.ts";
import { type Collection, isCollection } from "@avow/contract/collections";
import { type Offer, type OfferKey, compareOfferKeys } from "./offer.ts";
import { toOffers, resolveVendors } from "./offers.ts";

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
 * The offers of these configurations of a project: from its live version (or from `version`), even if the vault has
 * deleted them since, or else from the vault. Undefined without the project. Reads the control plane only for
 * configurations that the version does not contain.
 */
export async function findOffered(
  planes: Planes,
  query: { projectId: string; identifiers: readonly string[]; version?: number | undefined },
): Promise<ReadonlyMap<string, OfferedConfiguration> | undefined> {
  const { projectId, identifiers } = query;
  const project = await findCollectingProject(planes, projectId);
  if (!project) return undefined;
  const version = query.version ?? project.liveVersion;
  const rows =
    version === null ? [] : await listOffersOf(planes.data, { projectId, version, identifiers });
  const published = Map.groupBy(rows.flatMap(toLiveOffers), ({ identifier }) => identifier);
  const missing = identifiers.filter((identifier) => !published.has(identifier));
  const drafts = await readDrafts(planes.db, projectId, missing);
  const unpublished = Map.groupBy(drafts, ({ identifier }) => identifier);
  return new Map([...toConfigurations(published, version), ...toConfigurations(unpublished, null)]);
}

function toConfigurations(
  byIdentifier: ReadonlyMap<string, readonly Offer[]>,
  version: number | null,
): [string, OfferedConfiguration][] {
  return [...byIdentifier].flatMap(([identifier, offers]) => {
    const [whole] = offers;
    if (!whole) return [];
    const { collection } = whole;
    const byItem = new Map(offers.map((offer) => [offer.item, offer]));
    return [[identifier, { identifier, collection, version, offers: byItem }]];
  });
}

async function readDrafts(
  db: Db,
  projectId: string,
  identifiers: readonly string[],
): Promise<Offer[]> {
  if (identifiers.length === 0) return [];
  return toDraftOffers(db, projectId, await listDrafts(db, { projectId, identifiers }));
}

async function toDraftOffers(
  db: Db,
  projectId: string,
  rows: readonly DraftRow[],
): Promise<Offer[]> {
  const drafts = rows.flatMap(({ body, ...row }) => (body === null ? [] : [{ ...row, body }]));
  return drafts.length > 0 ? toOffers(await resolveVendors(db, projectId, drafts)) : [];
}

/** A part of a list; `end` is the position after it (undefined: at the end of the list). */
export interface Stretch<T> {
  items: T[];
  end: OfferKey | undefined;
}

/** The offers of a published version, at most `limit`, without configurations that it does not contain. */
export async function listVersionOffers(
  data: DataDb,
  { projectId, version, limit }: { projectId: string; version: number; limit: number },
): Promise<Stretch<Offer>> {
  const from = { identifier: "", item: "" };
  const rows = await listOffersFrom(data, { projectId, version, from, limit });
  const last = rows.length === limit ? rows.at(-1) : undefined;
  const items = rows.filter((row) => row !== last).flatMap(toLiveOffers);
  return { items, end: last && { identifier: last.identifier, item: last.item } };
}

/**
 * The offers of a project from a position on, in order: at most `limit` offers of its live version (or of `version`),
 * and of unpublished configurations with about `limit` offers in total. None without the project.
 */
export async function listOffered(
  { db, data }: Planes,
  query: { projectId: string; from: OfferKey; limit: number; version?: number | undefined },
): Promise<Stretch<Offer>> {
  const { projectId, from, limit } = query;
  const project = await findCollectingProject({ db, data }, projectId);
  if (!project) return { items: [], end: undefined };
  const version = query.version ?? project.liveVersion;
  const place = { projectId, version: version ?? 0 };
  const live = await listOffersFrom(data, { ...place, from, limit });
  const except = await listOfferedIdentifiers(data, { ...place, from: from.identifier });
  const rows = await listDraftsFrom(db, { projectId, from: from.identifier, except, limit });
  const ends = [
    // With as many rows as requested, more may follow the last one.
    ...(live.length === limit ? live.slice(-1) : []),
    ...rows.filter(({ body }) => body === null).map(({ id }) => ({ identifier: id, item: "" })),
  ];
  const [end] = ends
    .map(({ identifier, item }) => ({ identifier, item }))
    .toSorted(compareOfferKeys);
  const items = [...live.flatMap(toLiveOffers), ...(await toDraftOffers(db, projectId, rows))]
    .filter((offer) => compareOfferKeys(offer, from) >= 0)
    .filter((offer) => !end || compareOfferKeys(offer, end) < 0)
    .toSorted(compareOfferKeys);
  return { items, end };
}

function toLiveOffers({ collection, ...row }: OfferRow): Offer[] {
  if (!isCollection(collection)) return [];
  const { identifier, item, name, substance, covers, required } = row;
  const expiresAfterDays = row.expires_after_days;
  return [{ identifier, item, collection, name, substance, covers, required, expiresAfterDays }];
}
