import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import type { JsonObject } from "@avow/contract/json";
import { ENTRIES_LEVEL } from "../log/tree/tile-path.ts";
import { HASH_BYTES, TILE_WIDTH } from "@avow/contract/merkle";

/** A sequenced consent, with the entry at its leaf. */
export interface PlacedConsent {
  project_id: string;
  consent_id: string;
  leaf: number;
  salt: Buffer;
  entry: Buffer | null;
}

/** The next sequenced consents after a key, in key order. */
export async function listPlacedConsents(
  db: DataDb,
  after: { consentId: string; projectId: string },
  limit: number,
): Promise<PlacedConsent[]> {
  const { rows } = await sql<Omit<PlacedConsent, "entry">>`
    SELECT project_id, consent_id, leaf, salt FROM consent_salts
    WHERE (consent_id, project_id) > (${after.consentId}::uuid, ${after.projectId})
    ORDER BY consent_id, project_id LIMIT ${limit}`.execute(db);
  const entries = await listEntries(
    db,
    rows.map(({ leaf }) => leaf),
  );
  return rows.map((row) => ({ ...row, entry: entries.get(row.leaf) ?? null }));
}

/** The entries of the log at these leaves, as far as it has them. */
async function listEntries(
  db: DataDb,
  leaves: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  const { rows } = await sql<{ leaf: number; entry: Buffer }>`
    SELECT l.leaf, substring(t.hashes FROM (${HASH_BYTES} * (l.leaf % ${TILE_WIDTH}) + 1)::integer FOR ${HASH_BYTES})
      AS entry
    FROM unnest(${sql.val([...leaves])}::bigint[]) AS l(leaf)
    JOIN log_tiles t ON t.level = ${ENTRIES_LEVEL} AND t.number = l.leaf / ${TILE_WIDTH}`.execute(
    db,
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
  const { rows } = await sql<Omit<PlacedDocument, "entry">>`
    SELECT project_id, name, document, leaf, salt FROM log_documents
    WHERE (project_id, name) > (${after.projectId}, ${after.name})
    ORDER BY project_id, name LIMIT ${limit}`.execute(db);
  const entries = await listEntries(
    db,
    rows.flatMap(({ leaf }) => leaf ?? []),
  );
  return rows.map((row) => ({
    ...row,
    entry: (row.leaf !== null && entries.get(row.leaf)) || null,
  }));
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

/** Whether anything is queued for the log, how much, and the seconds since the last tree was signed. */
export async function findWaiting(
  db: DataDb,
): Promise<{ isWaiting: boolean; count: number; idleSeconds: number }> {
  const { rows: queues } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT FROM consent_queue LIMIT 1000000) q`.execute(db);
  const { rows } = await sql<{ documents: number; idleSeconds: number }>`
    SELECT (SELECT count(*) FROM log_documents WHERE leaf IS NULL) AS documents,
      coalesce(extract(epoch FROM now() - (SELECT signed_at FROM log_heads)), 0)::float8 AS "idleSeconds"
  `.execute(db);
  const { documents = 0, idleSeconds = 0 } = rows[0] ?? {};
  const count = (queues[0]?.count ?? 0) + documents;
  return { isWaiting: count > 0, count, idleSeconds };
}
