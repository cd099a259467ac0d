import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { DocumentRow } from "../log/store.ts";

/**
 * Deletes the salts of records, and queues the records for removal from webhook deliveries. Returns the leaves of
 * their commitments.
 */
export async function deleteSalts(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ leaf: number }>`
    WITH gone AS (
      DELETE FROM consent_salts
      WHERE consent_id = ANY(${sql.val([...ids])}::uuid[]) AND project_id = ${projectId}
      RETURNING leaf, consent_id
    ), queued AS (
      INSERT INTO erased_consents (project_id, consent_id) SELECT ${projectId}, consent_id FROM gone
    )
    SELECT leaf FROM gone`.execute(tx);
  return rows.map(({ leaf }) => leaf);
}

/**
 * Counts erasures and erased records of a project, from the last `limit` documents with names from `from` up to
 * `before` (exclusive).
 */
export async function sumErasures(
  db: DataDb,
  { projectId, from, before }: { projectId: string; from: string; before: string },
  limit: number,
): Promise<{ erasures: number; records: number }> {
  const { rows } = await sql<{ erasures: number; records: number }>`
    SELECT count(*)::integer AS erasures, coalesce(sum(count), 0)::float8 AS records
    FROM (
      SELECT (document ->> 'count')::bigint AS count FROM log_documents
      WHERE project_id = ${projectId} AND name >= ${from} AND name < ${before}
      ORDER BY name DESC LIMIT ${limit}
    ) e`.execute(db);
  return rows[0] ?? { erasures: 0, records: 0 };
}

/** The documents of a project with names from `from` up to `before` (exclusive), in descending order. */
export async function listDocumentsBefore(
  db: DataDb,
  { projectId, from, before }: { projectId: string; from: string; before: string },
  limit: number,
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    SELECT project_id, name, document, leaf, salt FROM log_documents
    WHERE project_id = ${projectId} AND name >= ${from} AND name < ${before}
    ORDER BY name DESC LIMIT ${limit}`.execute(db);
  return rows;
}
