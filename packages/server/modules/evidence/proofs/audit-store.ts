import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import type { JsonObject } from "@avow/contract/json";
import { ENTRIES_LEVEL } from "../log/tree/tile-path.ts";
import { HASH_BYTES, TILE_WIDTH } from "@avow/contract/merkle";

/** The entry at the leaf of a row `r`; null if the log has none. */
const entryAt = sql`(
  SELECT substring(t.hashes FROM (${HASH_BYTES} * (r.leaf % ${TILE_WIDTH}) + 1)::integer FOR ${HASH_BYTES})
  FROM log_tiles t WHERE t.level = ${ENTRIES_LEVEL} AND t.number = r.leaf / ${TILE_WIDTH}
)`;

/** A sequenced consent. */
export interface PlacedConsent {
  project_id: string;
  consent_id: string;
  leaf: number;
  salt: Buffer;
}

/** The next sequenced consents after a key, in key order. */
export async function listPlacedConsents(
  db: DataDb,
  after: { consentId: string; projectId: string },
  limit: number,
): Promise<PlacedConsent[]> {
  const { rows } = await sql<PlacedConsent>`
    SELECT r.project_id, r.consent_id, r.leaf, r.salt
    FROM consent_salts r WHERE (r.consent_id, r.project_id) > (${after.consentId}::uuid, ${after.projectId})
    ORDER BY r.consent_id, r.project_id LIMIT ${limit}`.execute(db);
  return rows;
}

/** The entries at these leaves, by leaf. */
export async function listEntriesAt(
  home: DataDb,
  leaves: readonly number[],
): Promise<ReadonlyMap<number, Buffer | null>> {
  const { rows } = await sql<{ leaf: number; entry: Buffer | null }>`
    SELECT r.leaf, ${entryAt} AS entry FROM unnest(${sql.val([...leaves])}::bigint[]) AS r(leaf)`.execute(
    home,
  );
  return new Map(rows.map(({ leaf, entry }) => [leaf, entry]));
}

/** Whether the salt of a consent still exists. */
export async function hasSalt(
  db: DataDb,
  { projectId, consentId }: { projectId: string; consentId: string },
): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM consent_salts
    WHERE consent_id = ${consentId} AND project_id = ${projectId}`.execute(db);
  return rows.length > 0;
}

/** A document of the log, with the entry at its leaf. Leaf, salt and entry are null until it is sequenced. */
export interface PlacedDocument {
  project_id: string;
  name: string;
  document: JsonObject;
  leaf: number | null;
  salt: Buffer | null;
  entry: Buffer | null;
}

/** The next documents after a key, in key order. */
export async function listPlacedDocuments(
  db: DataDb,
  after: { projectId: string; name: string },
  limit: number,
): Promise<PlacedDocument[]> {
  const { rows } = await sql<PlacedDocument>`
    SELECT r.project_id, r.name, r.document, r.leaf, r.salt, ${entryAt} AS entry
    FROM log_documents r WHERE (r.project_id, r.name) > (${after.projectId}, ${after.name})
    ORDER BY r.project_id, r.name LIMIT ${limit}`.execute(db);
  return rows;
}

/** The first project with consents after one; undefined after the last. */
export async function findNextProject(db: DataDb, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    SELECT min(project_id) AS id FROM consents WHERE project_id > ${after}`.execute(db);
  return rows[0]?.id ?? undefined;
}

/** A page of a project's consents. */
export interface ConsentsPage {
  /** The last id; null if the page is empty. */
  last: string | null;
  count: number;
  /** Consents without a salt. */
  missing: string[];
}

/** The next consents of a project after an id, and which of them are not in the log. */
export async function readConsentsPage(
  db: DataDb,
  after: { projectId: string; id: string },
  limit: number,
): Promise<ConsentsPage> {
  const { rows } = await sql<ConsentsPage>`
    SELECT (array_agg(p.id ORDER BY p.id DESC))[1] AS last, count(*) AS count,
      coalesce(array_agg(p.id) FILTER (WHERE s.leaf IS NULL), '{}')::text[] AS missing
    FROM (
      SELECT id FROM consents WHERE project_id = ${after.projectId} AND id > ${after.id}::uuid
      ORDER BY id LIMIT ${limit}
    ) p LEFT JOIN consent_salts s ON s.consent_id = p.id AND s.project_id = ${after.projectId}
  `.execute(db);
  return rows[0] ?? { last: null, count: 0, missing: [] };
}

/** Filters consents of a project to those that are neither in the log nor queued for it. */
export async function listUnlogged(
  db: DataDb,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT c.id FROM consents c
    WHERE c.project_id = ${projectId} AND c.id = ANY(${sql.val([...ids])}::uuid[])
      AND NOT EXISTS (SELECT FROM consent_queue q WHERE q.consent_id = c.id AND q.project_id = c.project_id)
      AND NOT EXISTS (SELECT FROM consent_salts s WHERE s.consent_id = c.id AND s.project_id = c.project_id)
    ORDER BY c.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The hashes in the log's documents of these names, by project and name. */
export async function listLoggedHashes(
  db: DataDb,
  keys: readonly { projectId: string; name: string }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ projectId: string; name: string; hash: string | null }>`
    SELECT d.project_id AS "projectId", d.name, d.document ->> 'hash' AS hash
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("projectId" text, "name" text)
    JOIN log_documents d ON d.project_id = k."projectId" AND d.name = k."name"`.execute(db);
  return new Set(rows.map(({ projectId, name, hash }) => `${projectId} ${name} ${hash}`));
}

/** The number of documents that are queued for the log, and the seconds since the last tree was signed. */
export async function findWaiting(home: DataDb): Promise<{ count: number; idleSeconds: number }> {
  const { rows } = await sql<{ count: number; idleSeconds: number }>`
    SELECT (SELECT count(*) FROM log_documents WHERE leaf IS NULL) AS count,
      coalesce(extract(epoch FROM now() - (SELECT signed_at FROM log_heads)), 0)::float8 AS "idleSeconds"
  `.execute(home);
  return rows[0] ?? { count: 0, idleSeconds: 0 };
}

/** The number of consents that are queued for the log, counted up to a million. */
export async function countQueued(db: DataDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT FROM consent_queue LIMIT 1000000) q`.execute(db);
  return rows[0]?.count ?? 0;
}
