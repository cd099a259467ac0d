import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { type ArchivedRow, consentsWith, listArchivedIn } from "../archive/archived.ts";
import type { HistoryKey } from "../states/rebuild-store.ts";
import type { AnswersJson } from "../states/states-json.ts";

/** The progress of the last walk of a project. */
export interface LastWalk {
  until: Date;
  /** Null: it is complete. */
  after: string | null;
}

/** The last walks of those of these projects that had one. */
export async function listLastWalks(
  db: DataDb,
  projectIds: readonly string[],
): Promise<ReadonlyMap<string, LastWalk>> {
  const { rows } = await sql<LastWalk & { id: string }>`
    SELECT project_id AS id, until, after FROM retention_walks
    WHERE project_id = ANY(${sql.val([...projectIds])}::text[])`.execute(db);
  return new Map(rows.map(({ id, ...walk }) => [id, walk]));
}

export interface Walk {
  until: Date;
  after: string;
}

/** Starts a walk, unless one is running or has covered the same period. */
export async function insertWalk(
  tx: DataTx,
  projectId: string,
  { until, after }: Walk,
): Promise<void> {
  await sql`
    INSERT INTO retention_walks AS w (project_id, until, after) VALUES (${projectId}, ${until}, ${after})
    ON CONFLICT (project_id) DO UPDATE SET until = excluded.until, after = excluded.after
    WHERE w.after IS NULL AND w.until < excluded.until`.execute(tx);
}

/** Locks the running walk; undefined if there is none, or if another node has locked it. */
export async function lockWalk(tx: DataTx, projectId: string): Promise<Walk | undefined> {
  const { rows } = await sql<Walk>`
    SELECT until, after FROM retention_walks WHERE project_id = ${projectId} AND after IS NOT NULL
    FOR UPDATE SKIP LOCKED`.execute(tx);
  return rows[0];
}

/** Stores the position of the walk; null: it is complete. */
export async function updateWalk(
  tx: DataTx,
  projectId: string,
  after: string | null,
): Promise<void> {
  await sql`
    UPDATE retention_walks SET after = ${after}::uuid WHERE project_id = ${projectId}`.execute(tx);
}

/** The answers of a record, or the number of their combination. */
export interface AnsweredRow extends HistoryKey {
  id: string;
  choice: number | null;
  answers: AnswersJson | null;
}

/** Records of a project in the order of ids, each with the number of records of its state; null without a state. */
export async function listWalked(
  tx: DataTx,
  of: { projectId: string; after: string; before: string; limit: number },
): Promise<(AnsweredRow & { consents: number | null })[]> {
  const { projectId, after, before, limit } = of;
  const window = { order: "asc", after, limit } as const;
  const { rows: archived } = await listArchivedIn(tx, { projectId, to: before }, window);
  const { rows } = await sql<AnsweredRow & { consents: number | null }>`
    SELECT r.id, r.token, r.identifier, r.choice, r.answers, (
      SELECT s.consents FROM consent_states s WHERE s.project_id = r.project_id AND s.token = r.token
        AND s.identifier = r.identifier LIMIT 1) AS consents
    FROM ${consentsWith(archived)} r
    WHERE r.project_id = ${of.projectId} AND r.id > ${of.after}::uuid AND r.id < ${of.before}::uuid
    ORDER BY r.id LIMIT ${of.limit}`.execute(tx);
  return rows;
}

/** The position of a record: the index of its history, and its id. */
export interface HistoryPosition {
  at: number;
  id: string;
}

/** The next records of these histories, one history after another, each in the order of ids. */
export async function listHistoryRecords(
  tx: DataTx,
  of: {
    projectId: string;
    keys: readonly HistoryKey[];
    before: string;
    archived: readonly ArchivedRow[];
  },
  { after, limit }: { after: HistoryPosition; limit: number },
): Promise<(AnsweredRow & HistoryPosition)[]> {
  const keys = of.keys.map((key, at) => ({ ...key, at })).slice(after.at);
  const { rows } = await sql<AnsweredRow & HistoryPosition>`
    SELECT k."at", k."token", k."identifier", r.id, r.choice, r.answers
    FROM json_to_recordset(${JSON.stringify(keys)}::json)
      AS k("at" integer, "token" text, "identifier" text)
    CROSS JOIN LATERAL (
      SELECT o.id, o.choice, o.answers FROM ${consentsWith(of.archived)} o
      WHERE o.project_id = ${of.projectId} AND o.token = k."token"
        -- Uses the index by token: a configuration may have any number of records.
        AND o.identifier || '' = k."identifier" AND o.id < ${of.before}::uuid
        AND (k."at" > ${after.at} OR o.id > ${after.id}::uuid)
      ORDER BY o.id LIMIT ${limit}
    ) r
    ORDER BY k."at", r.id LIMIT ${limit}`.execute(tx);
  return rows;
}

/** Those of these histories that have records. */
export async function listNonEmptyHistories(
  tx: DataTx,
  projectId: string,
  { keys, archived }: { keys: readonly HistoryKey[]; archived: readonly ArchivedRow[] },
): Promise<HistoryKey[]> {
  const { rows } = await sql<HistoryKey>`
    SELECT k."token", k."identifier"
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    CROSS JOIN LATERAL (
      SELECT 1 FROM ${consentsWith(archived)} o WHERE o.project_id = ${projectId} AND o.token = k."token"
        AND o.identifier || '' = k."identifier" LIMIT 1
    ) r ORDER BY k."token"`.execute(tx);
  return rows;
}

export async function listAnswers(
  tx: DataTx,
  projectId: string,
  choices: readonly { identifier: string; choice: number }[],
): Promise<{ identifier: string; choice: number; items: AnswersJson }[]> {
  const { rows } = await sql<{ identifier: string; choice: number; items: AnswersJson }>`
    SELECT c.identifier, c.choice, c.items
    FROM json_to_recordset(${JSON.stringify(choices)}::json) AS k("identifier" text, "choice" integer)
    JOIN choices c ON c.project_id = ${projectId} AND c.identifier = k."identifier"
      AND c.choice = k."choice"`.execute(tx);
  return rows;
}
