import type { JsonObject } from "@avow/contract/json";
import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { OfferKey } from "./offer.ts";
import type { AgreedOffer } from "./questions.ts";

/** Replaces the offers of a published version. */
export async function replaceOffers(
  tx: Tx,
  version: { projectId: string; version: number; offers: readonly AgreedOffer[] },
): Promise<void> {
  await tx
    .deleteFrom("offers")
    .where("project_id", "=", version.projectId)
    .where("version", "=", version.version)
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

/** An offer of a published version, or an unpublished configuration, with the source of its offers in `body`. */
export interface OfferedRow {
  live_version: number | null;
  identifier: string | null;
  collection: string | null;
  /** Null for published offers, and for configurations beyond the limit of a page. */
  body: JsonObject | null;
  item: string | null;
  name: string | null;
  substance: string | null;
  required: boolean | null;
  expires_after_days: number | null;
  covers: string[] | null;
}

const liveColumns = sql`o.identifier, o.collection, NULL::jsonb AS body, o.item, o.name, o.substance,
  o.required, o.expires_after_days, o.covers`;
const draftColumns = sql`NULL::text AS item, NULL::text AS name, NULL::text AS substance,
  NULL::boolean AS required, NULL::integer AS expires_after_days, NULL::text[] AS covers`;

/** The parts of a configuration's body that offers are derived from: bodies may be long. */
const offeredBody = sql`(
  SELECT coalesce(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(c.body_jsonb) AS f
  WHERE f.key IN ('name', 'title', 'file', 'purpose', 'personalDataTypes', 'processors',
    'automatedDecisions', 'storageDuration')
) || jsonb_build_object(
  'settings', jsonb_build_object('expiresAfterDays', c.body_jsonb #> '{settings,expiresAfterDays}'),
  'steps', jsonb_build_array(jsonb_build_object('vendors', (
    SELECT coalesce(jsonb_agg(CASE WHEN jsonb_typeof(v.vendor) <> 'object' THEN v.vendor ELSE (
      SELECT coalesce(jsonb_object_agg(f.key, f.value), '{}') FROM jsonb_each(v.vendor) AS f
      WHERE f.key IN ('name', 'title', 'domain', 'type', 'googleConsentMode', 'required')
    ) END ORDER BY v.place), '[]')
    FROM jsonb_path_query(c.body_jsonb, '$.steps[*].vendors[*]') WITH ORDINALITY AS v(vendor, place)
    WHERE c.resource = 'cookies'))))`;

/** The requested version, by default the live one. */
function versionOf(version: number | undefined) {
  return version === undefined ? sql`p.live_version` : sql`${version}::integer`;
}

/** The project's configurations in the vault that the version does not contain. */
function draftsOf(projectId: string, version: number | undefined) {
  return sql`documents c WHERE c.project_id = ${projectId} AND c.deleted_at IS NULL
    AND c.resource IN ('cookies', 'processings', 'contracts')
    AND NOT EXISTS (SELECT FROM offers o WHERE o.project_id = p.id AND o.version = ${versionOf(version)}
      AND o.identifier = c.id AND o.item = '')`;
}

/** Whether the live version of a row of `documents`, a project, has all configurations that can be answered. */
export const hasAllLive = sql<boolean>`NOT EXISTS (
  SELECT FROM documents c WHERE c.project_id = documents.id AND c.deleted_at IS NULL
    AND c.resource IN ('cookies', 'processings', 'contracts')
    AND NOT EXISTS (SELECT FROM offers o WHERE o.project_id = documents.id
      AND o.version = documents.live_version AND o.identifier = c.id AND o.item = ''))`;

/**
 * The offers of these configurations of a project: from the live version (or from `version`), even if the vault has
 * deleted them since, or else from the vault. A single query, because collection uses it. Returns no row without the
 * project, and one row of nulls if it has none of these configurations.
 */
export async function findOfferedRows(
  db: Db | Tx,
  query: { projectId: string; identifiers: readonly string[]; version?: number | undefined },
): Promise<OfferedRow[]> {
  const { projectId, identifiers, version } = query;
  const named = sql`ANY(${sql.val([...identifiers])}::text[])`;
  const result = await sql<OfferedRow>`
    SELECT ${versionOf(version)} AS live_version, x.*
    FROM documents p LEFT JOIN LATERAL (
      SELECT ${liveColumns} FROM offers o
      WHERE o.project_id = p.id AND o.version = ${versionOf(version)} AND o.identifier = ${named}
      UNION ALL
      SELECT c.id, c.resource, ${offeredBody}, ${draftColumns}
      FROM ${draftsOf(projectId, version)} AND c.id = ${named}
    ) x ON true
    WHERE p.id = ${projectId} AND p.resource = 'projects' AND p.deleted_at IS NULL
    ORDER BY x.identifier, x.item
  `.execute(db);
  return result.rows;
}

/** Characters of a configuration that count as one offer in the limit of a page. */
const OFFER_LENGTH = 1_000;

/**
 * The offers of a project from a position on, in the order of identifiers and items: at most `limit` offers of its live
 * version (or of `version`), and unpublished configurations with about `limit` offers in total. Configurations beyond
 * that have no `body`. Returns no row without the project.
 */
export async function listOfferedRows(
  db: Db,
  query: { projectId: string; from: OfferKey; limit: number; version?: number | undefined },
): Promise<OfferedRow[]> {
  const { projectId, from, limit, version } = query;
  const { identifier, item } = from;
  const result = await sql<OfferedRow>`
    SELECT ${versionOf(version)} AS live_version, x.*
    FROM documents p CROSS JOIN LATERAL (
      (SELECT ${liveColumns} FROM offers o
      WHERE o.project_id = p.id AND o.version = ${versionOf(version)}
        AND (o.identifier, o.item) >= (${identifier}, ${item})
      ORDER BY o.identifier, o.item LIMIT ${limit})
      UNION ALL
      SELECT d.id, d.resource, CASE WHEN d.reached - d.weight < ${limit} THEN d.body END, ${draftColumns}
      FROM (
        SELECT w.*, sum(w.weight) OVER (ORDER BY w.id) AS reached FROM (
          SELECT b.*, 1 + jsonb_array_length(b.body #> '{steps,0,vendors}')
            + length(b.body::text) / ${OFFER_LENGTH}::integer AS weight
          FROM (
            SELECT c.id, c.resource, ${offeredBody} AS body
            FROM ${draftsOf(projectId, version)} AND c.id >= ${identifier}
            ORDER BY c.id LIMIT ${limit + 1}
          ) b
        ) w
      ) d
    ) x
    WHERE p.id = ${projectId} AND p.resource = 'projects' AND p.deleted_at IS NULL
    ORDER BY x.identifier, x.item
  `.execute(db);
  return result.rows;
}

/** The last offer of an item, even if it is no longer offered; optionally up to a version. */
export async function findLastOffer(
  db: Db,
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

/** The version of a project that was live at an instant; 0 without one. */
export async function findVersionAt(db: Db, projectId: string, at: Date): Promise<number> {
  const row = await db
    .selectFrom("publications")
    .select("version")
    .where("project_id", "=", projectId)
    .where("environment", "=", "production")
    .where("published_at", "<=", at)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The distinct expiry periods of an item in all versions, in days. */
export async function listOfferedDays(
  db: Db,
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
