import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
import type { Offer } from "./offer.ts";

/** Writes what a published version offers in place of what it offered before. */
export async function replaceOffers(
  tx: Tx,
  version: { projectId: string; version: number; offers: readonly Offer[] },
): Promise<void> {
  await tx
    .deleteFrom("offers")
    .where("project_id", "=", version.projectId)
    .where("version", "=", version.version)
    .execute();
  // One parameter for all: a project may offer more vendors than a statement may have parameters.
  await sql`
    INSERT INTO offers (project_id, version, identifier, item, collection, name, substance, required, expires_after_days)
    SELECT ${version.projectId}, ${version.version}::integer, o."identifier", o."item", o."collection", o."name",
      o."substance", o."required", o."expiresAfterDays"
    FROM jsonb_to_recordset(${JSON.stringify(version.offers)}::jsonb) AS o(
      "identifier" text, "item" text, "collection" text, "name" text, "substance" text,
      "required" boolean, "expiresAfterDays" integer)
  `.execute(tx);
}

/** A configuration of a project beside one offer of its live version, or with its body when that has none. */
export interface OfferedRow {
  live_version: number | null;
  identifier: string | null;
  collection: string | null;
  body: Record<string, unknown> | null;
  item: string | null;
  name: string | null;
  substance: string | null;
  required: boolean | null;
  expires_after_days: number | null;
}

/**
 * The live configurations of a project (all, or those named) and what each offers, by one query:
 * collection pays for it. No row when the project is not there; one of nulls when it has none.
 */
export async function findOfferedRows(
  db: Db | Tx,
  { projectId, identifiers }: { projectId: string; identifiers?: readonly string[] },
): Promise<OfferedRow[]> {
  const named = identifiers ? sql`AND c.id = ANY(${sql.val([...identifiers])}::text[])` : sql``;
  const result = await sql<OfferedRow>`
    SELECT p.live_version, c.id AS identifier, c.resource AS collection,
      CASE WHEN o.item IS NULL THEN c.body END AS body,
      o.item, o.name, o.substance, o.required, o.expires_after_days
    FROM documents p
    LEFT JOIN documents c ON c.project_id = p.id AND c.deleted_at IS NULL
      AND c.resource IN ('cookies', 'processings', 'contracts') ${named}
    LEFT JOIN offers o ON o.project_id = p.id AND o.version = p.live_version AND o.identifier = c.id
    WHERE p.id = ${projectId} AND p.resource = 'projects' AND p.deleted_at IS NULL
    ORDER BY c.id, o.item
  `.execute(db);
  return result.rows;
}

/** What was last offered under a name, also when it is not offered any more. */
export async function findLastOffer(
  db: Db,
  offer: { projectId: string; identifier: string; item: string },
): Promise<{ substance: string; name: string; collection: string } | undefined> {
  return db
    .selectFrom("offers")
    .select(["substance", "name", "collection"])
    .where("project_id", "=", offer.projectId)
    .where("identifier", "=", offer.identifier)
    .where("item", "=", offer.item)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
}
