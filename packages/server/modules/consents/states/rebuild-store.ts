import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { type ArchivedRow, consentsWith } from "../archive/archived.ts";
import type { AnswersJson } from "./states-json.ts";
import {
  type StateRow,
  insertPast,
  insertStates,
  pastRecord,
  stateColumns,
  stateFields,
  stateRecord,
} from "./states-store.ts";

/** Projects with records or states, in the order of ids. */
export async function listStateProjects(db: DataDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE p(id) AS (
      SELECT (SELECT min(project_id) FROM consents)
      UNION ALL SELECT (SELECT min(project_id) FROM consents WHERE project_id > p.id) FROM p WHERE p.id IS NOT NULL
    ), s(id) AS (
      SELECT (SELECT min(project_id) FROM consent_states)
      UNION ALL SELECT (SELECT min(project_id) FROM consent_states WHERE project_id > s.id) FROM s WHERE s.id IS NOT NULL
    )
    SELECT id FROM p WHERE id IS NOT NULL UNION SELECT id FROM s WHERE id IS NOT NULL ORDER BY id
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The next tokens of a project with records or states. */
export async function listStateTokens(
  db: DataDb,
  { projectId, after, limit }: { projectId: string; after: string; limit: number },
): Promise<string[]> {
  const part = (table: string) => sql`
    (SELECT DISTINCT token FROM ${sql.table(table)}
    WHERE project_id = ${projectId} AND token > ${after} ORDER BY token LIMIT ${limit})`;
  const { rows } = await sql<{ token: string }>`
    ${part("consents")} UNION ${part("consent_states")} UNION ${part("past_states")}
    ORDER BY token LIMIT ${limit}
  `.execute(db);
  return rows.map(({ token }) => token);
}

export interface RecordAnswersRow {
  id: string;
  token: string;
  identifier: string;
  collection: string;
  version: number | null;
  created_at: Date;
  answers: AnswersJson | null;
}

/** The tokens of a project after one, up to and including another. */
export interface TokenRange {
  projectId: string;
  after: string;
  last: string;
}

/** The position of a record in the order of tokens and ids. */
export interface RecordPosition {
  token: string;
  id: string;
}

/** A token and a configuration. */
export interface HistoryKey {
  token: string;
  identifier: string;
}

/**
 * Forces index order in this transaction: where the planner expects few rows per token, it would sort all remaining
 * rows for every page.
 */
export async function readInOrder(tx: DataTx): Promise<void> {
  const names = ["seqscan", "bitmapscan", "sort", "incremental_sort"];
  const settings = names.map((name) => sql`set_config(${`enable_${name}`}, 'off', true)`);
  await sql`SELECT ${sql.join(settings)}`.execute(tx);
}

/** The next `limit` records of these tokens, in the order of tokens and ids. */
export async function listRecordAnswers(
  tx: DataTx,
  { projectId, last }: TokenRange,
  {
    after,
    limit,
    archived,
  }: { after: RecordPosition; limit: number; archived: readonly ArchivedRow[] },
): Promise<RecordAnswersRow[]> {
  const { rows } = await sql<RecordAnswersRow>`
    SELECT r.id, r.token, r.identifier, r.collection, r.version, r.created_at,
      coalesce(r.answers, c.items) AS answers
    FROM (
      SELECT * FROM ${consentsWith(archived)} r
      WHERE project_id = ${projectId} AND (token, id) > (${after.token}, ${after.id}::uuid) AND token <= ${last}
      ORDER BY token, id LIMIT ${limit}
    ) r LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier
      AND c.choice = r.choice
    ORDER BY r.token, r.id
  `.execute(tx);
  return rows;
}

const within = ({ projectId, after, last }: TokenRange) =>
  sql`s.project_id = ${projectId} AND s.token > ${after} AND s.token <= ${last}`;
const withChoice = sql`LEFT JOIN choices c ON c.project_id = s.project_id AND c.identifier = s.identifier
  AND c.choice = s.choice`;
const toKeys = (keys: readonly object[]) => sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)`;

/** The states of some tokens. */
export async function listStates(tx: DataTx, range: TokenRange): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    SELECT ${sql.raw(stateColumns)} FROM consent_states s ${withChoice} WHERE ${within(range)}
  `.execute(tx);
  return rows;
}

/** The number of past states per token and configuration. */
export async function countPast(
  tx: DataTx,
  range: TokenRange,
): Promise<(HistoryKey & { count: number })[]> {
  const { rows } = await sql<HistoryKey & { count: number }>`
    SELECT s.token, s.identifier, count(*)::integer AS count FROM past_states s WHERE ${within(range)}
    GROUP BY s.token, s.identifier
  `.execute(tx);
  return rows;
}

export type PastRow = StateRow & { until_id: string };

/** Past states, by the records that they resulted from. */
export async function listPast(
  tx: DataTx,
  projectId: string,
  keys: readonly (HistoryKey & { consentId: string })[],
): Promise<PastRow[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<PastRow>`
    SELECT s.*, c.items AS choice_items
    FROM ${toKeys(keys)} AS k("token" text, "identifier" text, "consentId" uuid)
    JOIN past_states s ON s.project_id = ${projectId} AND s.token = k."token"
      AND s.identifier = k."identifier" AND s.consent_id = k."consentId"
    ${withChoice}
  `.execute(tx);
  return rows;
}

const ofHistories = (projectId: string) => sql`
  t.project_id = ${projectId} AND t.token = k."token" AND t.identifier = k."identifier"`;
const toNamed = (keys: readonly HistoryKey[]) =>
  sql`${toKeys(keys)} AS k("token" text, "identifier" text)`;

/** Locks these states, so that no consent replaces them until the transaction ends. */
export async function lockHistories(
  tx: DataTx,
  projectId: string,
  keys: readonly HistoryKey[],
): Promise<void> {
  await sql`
    SELECT 1 FROM consent_states t JOIN ${toNamed(keys)} ON ${ofHistories(projectId)}
    ORDER BY t.token, t.identifier FOR UPDATE OF t`.execute(tx);
}

/**
 * Deletes the present and past states of these tokens and configurations. Consents that would replace one wait until
 * the transaction ends.
 */
export async function deleteHistories(
  tx: DataTx,
  projectId: string,
  keys: readonly HistoryKey[],
): Promise<void> {
  await lockHistories(tx, projectId, keys);
  for (const table of ["consent_states", "past_states"])
    await sql`
      DELETE FROM ${sql.table(table)} t USING ${toNamed(keys)} WHERE ${ofHistories(projectId)}`.execute(
      tx,
    );
}

/**
 * Serializes rebuilds of a project's states, and excludes erasures. Row locks are not enough: a missing state has no
 * row.
 */
export async function lockRebuilding(tx: DataTx, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`ledgers ${projectId}`}, 0))`.execute(
    tx,
  );
}

/** Excludes rebuilds until the transaction ends, with a shared lock. */
export async function lockErasing(tx: DataTx, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${`ledgers ${projectId}`}, 0))`.execute(
    tx,
  );
}

export async function insertHistories(
  tx: DataTx,
  { states, past }: { states: readonly object[]; past: readonly object[] },
): Promise<void> {
  if (states.length > 0)
    await sql`
      ${sql.raw(insertStates)}
      SELECT ${sql.raw(stateFields)} FROM json_to_recordset(${JSON.stringify(states)}::json) AS ${sql.raw(stateRecord)}
    `.execute(tx);
  if (past.length > 0)
    await sql`
      ${sql.raw(insertPast)} FROM json_to_recordset(${JSON.stringify(past)}::json) AS ${sql.raw(pastRecord)}
    `.execute(tx);
}
