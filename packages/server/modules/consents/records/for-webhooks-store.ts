import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { consentsWith, listArchived } from "../archive/archived.ts";
import type { ConsentRow } from "./row.ts";

type Keys = readonly { projectId: string; consentId: string }[];

/** The fields of a record by which its webhooks are selected. */
export interface RecordOutline {
  consentId: string;
  projectId: string;
  token: string;
  collection: string;
  identifier: string;
  createdAt: Date;
  /** Whether it refuses something that was accepted before. */
  isWithdrawal: boolean;
  /** Upper bound of the size of the record as JSON. */
  bytesMax: number;
}

/** The records with these keys, without imported ones. */
async function recordsOf(db: DataDb | DataTx, keys: Keys) {
  const archived = await listArchived(
    db,
    keys.map(({ projectId, consentId }) => ({ projectId, id: consentId })),
  );
  const projectIds = keys.map(({ projectId }) => projectId);
  const ids = keys.map(({ consentId }) => consentId);
  return sql`unnest(${sql.val(projectIds)}::text[], ${sql.val(ids)}::uuid[]) AS k(project_id, id)
    CROSS JOIN LATERAL (
      SELECT o.* FROM ${consentsWith(archived)} o
      WHERE o.project_id = k.project_id AND o.id = k.id AND o.import_id IS NULL OFFSET 0
    ) r`;
}

/** The existing records with these keys, without imported ones. */
export async function listRecordRows(db: DataDb | DataTx, keys: Keys): Promise<ConsentRow[]> {
  const records = await recordsOf(db, keys);
  const { rows } = await sql<ConsentRow>`SELECT r.* FROM ${records}`.execute(db);
  return rows;
}

/**
 * Upper bound of the size of a record as JSON. Stored JSON is returned unchanged, signals repeat parts of the
 * preferences, and five links contain the token, percent-encoded to at most three times its size.
 */
const bytesMax = sql`4096 + 2 * coalesce(octet_length(r.preferences::text), 0) + coalesce(octet_length(r.value::text), 0)
  + coalesce(octet_length(r.warnings::text), 0) + 16 * octet_length(r.token)
  + 2 * (coalesce(octet_length(r.url), 0) + octet_length(r.user_agent))`;

/** An answer is a withdrawal if its run, the first one after acceptance, began with this record. */
const isWithdrawal = sql`CASE WHEN s.items <> '{}' THEN EXISTS (
    SELECT FROM jsonb_each(s.items) AS i WHERE i.value ->> 'answer' = 'withdrawn'
      AND i.value ->> 'consentId' = r.id::text
      AND (i.value ->> 'since')::timestamptz = date_trunc('milliseconds', r.created_at))
  ELSE date_trunc('milliseconds', s.since) = date_trunc('milliseconds', r.created_at) AND EXISTS (
    SELECT FROM jsonb_each(c.items) AS i WHERE i.value ->> 'answer' = 'withdrawn') END`;

/** The outlines of the existing records with these keys, without imported ones: small, whatever the size of the records. */
export async function listRecordOutlines(
  db: DataDb | DataTx,
  keys: Keys,
): Promise<RecordOutline[]> {
  if (keys.length === 0) return [];
  const records = await recordsOf(db, keys);
  const { rows } = await sql<RecordOutline>`
    SELECT r.id AS "consentId", r.project_id AS "projectId", r.token, r.collection, r.identifier,
      r.created_at AS "createdAt", coalesce(${isWithdrawal}, false) AS "isWithdrawal", ${bytesMax} AS "bytesMax"
    FROM ${records}
    LEFT JOIN LATERAL (
      SELECT since, items, choice FROM past_states p
      WHERE p.project_id = r.project_id AND p.token = r.token AND p.identifier = r.identifier
        AND p.consent_id = r.id
      UNION ALL
      SELECT since, items, choice FROM consent_states p
      WHERE p.project_id = r.project_id AND p.token = r.token AND p.identifier = r.identifier
        AND p.consent_id = r.id
      LIMIT 1
    ) s ON true
    LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier AND c.choice = s.choice`.execute(
    db,
  );
  return rows;
}
