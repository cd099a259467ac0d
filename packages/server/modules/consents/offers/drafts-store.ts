import type { JsonObject } from "@avow/contract/json";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";

/** A configuration in the vault, with the source of its offers in `body`. */
export interface DraftRow {
  id: string;
  resource: string;
  /** Null beyond the limit of a page. */
  body: JsonObject | null;
}

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

const draftsOf = (projectId: string): RawBuilder<unknown> => sql`
  documents c WHERE c.project_id = ${projectId} AND c.deleted_at IS NULL
    AND c.resource IN ('cookies', 'processings', 'contracts')`;

/** These configurations, as the vault has them; without deleted ones. */
export async function listDrafts(
  db: Db,
  { projectId, identifiers }: { projectId: string; identifiers: readonly string[] },
): Promise<DraftRow[]> {
  const { rows } = await sql<DraftRow>`
    SELECT c.id, c.resource, ${offeredBody} AS body FROM ${draftsOf(projectId)}
      AND c.id = ANY(${sql.val([...identifiers])}::text[])
    ORDER BY c.id`.execute(db);
  return rows;
}

/** Characters of a configuration that count as one offer in the limit of a page. */
const OFFER_LENGTH = 1_000;

/**
 * The configurations from an id on, without `except`: those with about `limit` offers in total. One beyond that has no
 * `body`.
 */
export async function listDraftsFrom(
  db: Db,
  query: { projectId: string; from: string; except: readonly string[]; limit: number },
): Promise<DraftRow[]> {
  const { projectId, from, except, limit } = query;
  const { rows } = await sql<DraftRow>`
    SELECT d.id, d.resource, CASE WHEN d.reached - d.weight < ${limit} THEN d.body END AS body
    FROM (
      SELECT w.*, sum(w.weight) OVER (ORDER BY w.id) AS reached FROM (
        SELECT b.*, 1 + jsonb_array_length(b.body #> '{steps,0,vendors}')
          + length(b.body::text) / ${OFFER_LENGTH}::integer AS weight
        FROM (
          SELECT c.id, c.resource, ${offeredBody} AS body FROM ${draftsOf(projectId)}
            AND c.id >= ${from} AND c.id <> ALL(${sql.val([...except])}::text[])
          ORDER BY c.id LIMIT ${limit + 1}
        ) b
      ) w
    ) d
    ORDER BY d.id`.execute(db);
  return rows;
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
