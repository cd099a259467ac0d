import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { OfferKey } from "./offer.ts";
import type { AgreedOffer } from "./questions.ts";

/**
 * Replaces the offers of a version that is about to be published. Deletes those of the versions after `newest`, the
 * newest published one, which a crash left and which were never published. Calls for a
 * project wait for each other, since two workers may run its job.
 */
export async function replaceOffers(
  tx: DataTx,
  version: {
    projectId: string;
    version: number;
    newest: number;
    offers: readonly AgreedOffer[];
  },
): Promise<void> {
  const lock = `offers ${version.projectId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx);
  await tx
    .deleteFrom("offers")
    .where("project_id", "=", version.projectId)
    .where("version", ">", version.newest)
    .where("version", "<=", version.version)
    .execute();
  // One JSON parameter: a project may have more vendors than a statement can have parameters.
  await sql`
    INSERT INTO offers (project_id, version, identifier, item, collection, name, substance, required, expires_after_days, agreed, covers)
    SELECT ${version.projectId}, ${version.version}::integer, o."identifier", o."item", o."collection", o."name",
      o."substance", o."required", o."expiresAfterDays", o."agreed", o."covers"
    FROM jsonb_to_recordset(${JSON.stringify(version.offers)}::jsonb) AS o(
      "identifier" text, "item" text, "collection" text, "name" text, "substance" text,
      "required" boolean, "expiresAfterDays" integer, "agreed" jsonb, "covers" text[])
  `.execute(tx);
}

/** An offer of a published version. */
export interface OfferRow {
  identifier: string;
  item: string;
  collection: string;
  name: string;
  substance: string;
  required: boolean;
  expires_after_days: number | null;
  covers: string[];
}

const columns = sql`o.identifier, o.collection, o.item, o.name, o.substance, o.required, o.expires_after_days, o.covers`;

/** The offers of these configurations in a version; those that it does not contain have none. */
export async function listOffersOf(
  db: DataDb,
  query: { projectId: string; version: number; identifiers: readonly string[] },
): Promise<OfferRow[]> {
  const { projectId, version, identifiers } = query;
  const { rows } = await sql<OfferRow>`
    SELECT ${columns} FROM offers o
    WHERE o.project_id = ${projectId} AND o.version = ${version}::integer
      AND o.identifier = ANY(${sql.val([...identifiers])}::text[])
    ORDER BY o.identifier, o.item`.execute(db);
  return rows;
}

/** The offers of a version from a position on, in the order of identifiers and items. */
export async function listOffersFrom(
  db: DataDb,
  query: { projectId: string; version: number; from: OfferKey; limit: number },
): Promise<OfferRow[]> {
  const { projectId, version, from, limit } = query;
  const { rows } = await sql<OfferRow>`
    SELECT ${columns} FROM offers o
    WHERE o.project_id = ${projectId} AND o.version = ${version}::integer
      AND (o.identifier, o.item) >= (${from.identifier}, ${from.item})
    ORDER BY o.identifier, o.item LIMIT ${limit}`.execute(db);
  return rows;
}

/** The configurations from an identifier on that a version contains. */
export async function listOfferedIdentifiers(
  db: DataDb,
  query: { projectId: string; version: number; from: string },
): Promise<string[]> {
  const { projectId, version, from } = query;
  const { rows } = await sql<{ identifier: string }>`
    SELECT identifier FROM offers
    WHERE project_id = ${projectId} AND version = ${version}::integer AND item = '' AND identifier >= ${from}`.execute(
    db,
  );
  return rows.map(({ identifier }) => identifier);
}

/** The last offer of an item, even if it is no longer offered; optionally up to a version. */
export async function findLastOffer(
  db: DataDb,
  offer: { projectId: string; identifier: string; item: string; version?: number | undefined },
): Promise<Pick<AgreedOffer, "substance" | "covers"> | undefined> {
  const { projectId, identifier, item, version } = offer;
  return db
    .selectFrom("offers")
    .select(["substance", "covers"])
    .where("project_id", "=", projectId)
    .where("identifier", "=", identifier)
    .where("item", "=", item)
    .$if(version !== undefined, (q) => q.where("version", "<=", version ?? 0))
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** The distinct expiry periods of an item in all versions, in days. */
export async function listOfferedDays(
  db: DataDb,
  offer: { projectId: string; identifier: string; item: string },
): Promise<number[]> {
  const rows = await db
    .selectFrom("offers")
    .select("expires_after_days as days")
    .distinct()
    .where("project_id", "=", offer.projectId)
    .where("identifier", "=", offer.identifier)
    .where("item", "=", offer.item)
    .where("expires_after_days", "is not", null)
    .execute();
  return rows.flatMap(({ days }) => (days === null ? [] : [days]));
}
