import { sql } from "kysely";
import { type Copy, copyRows } from "../../../../platform/db/copy.ts";
import type { DataTx } from "../../../../platform/db/db.ts";
import { consentsWith, listArchived, listArchivedOfTokens } from "../../archive/archived.ts";
import { copiedColumns } from "./rows.ts";
import type { Answers, State } from "../../states/states.ts";
import { type AnswersJson, fromAnswersJson } from "../../states/states-json.ts";
import {
  type StateRow,
  insertPast,
  insertStates,
  pastRecord,
  stateColumns,
  stateFields,
  stateRecord,
  toState,
} from "../../states/states-store.ts";

export interface StateName {
  token: string;
  identifier: string;
}

/**
 * Disables JIT, since compiling takes longer than these queries run, and the wait for the disk: the
 * progress is committed with the records, so a crash loses both and the file is still there. The end
 * of an import is committed synchronously, which makes all parts before it durable.
 */
export async function configureMergeTransaction(tx: DataTx): Promise<void> {
  await sql`SET LOCAL jit = off; SET LOCAL synchronous_commit = off`.execute(tx);
}

/**
 * The existing states of these keys; locked in key order with `lock`. Each key is looked up by itself
 * (LATERAL): the statistics of tables being filled are out of date, and a join from the other side
 * reads the whole project for every part. The answers of a combination are one shared object.
 */
export async function listStoredStates(
  tx: DataTx,
  { projectId, keys, lock }: { projectId: string; keys: readonly StateName[]; lock: boolean },
): Promise<State[]> {
  const { rows } = await sql<StateRow>`
    SELECT ${sql.raw(stateColumns)}
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    CROSS JOIN LATERAL (
      SELECT * FROM consent_states o
      WHERE o.project_id = ${projectId} AND o.token = k."token" AND o.identifier = k."identifier"
      ${sql.raw(lock ? "FOR UPDATE" : "OFFSET 0")}
    ) s
    CROSS JOIN (SELECT NULL::jsonb AS items) c`.execute(tx);
  const answers = await listAnswers(tx, projectId, rows);
  return rows.map((row) => {
    const state = toState(row);
    if (row.items) return state;
    return { ...state, answers: answers.get(toChoiceName(row)) ?? state.answers };
  });
}

async function listAnswers(
  tx: DataTx,
  projectId: string,
  rows: readonly StateRow[],
): Promise<Map<string, Answers>> {
  const named = new Map<string, Pick<StateRow, "identifier" | "choice">>();
  for (const row of rows) {
    const { identifier, choice, items } = row;
    if (!items && choice !== null) named.set(toChoiceName(row), { identifier, choice });
  }
  if (named.size === 0) return new Map();
  const { rows: choices } = await sql<{ identifier: string; choice: number; items: AnswersJson }>`
    SELECT d.* FROM json_to_recordset(${JSON.stringify([...named.values()])}::json)
      AS k("identifier" text, "choice" integer)
    CROSS JOIN LATERAL (
      SELECT identifier, choice, items FROM choices o WHERE o.project_id = ${projectId}
        AND o.identifier = k."identifier" AND o.choice = k."choice" OFFSET 0
    ) d`.execute(tx);
  return new Map(choices.map((row) => [toChoiceName(row), fromAnswersJson(row.items)]));
}

function toChoiceName({ identifier, choice }: Pick<StateRow, "identifier" | "choice">): string {
  return `${choice} ${identifier}`;
}

/** The columns of a stored record that imports compare. */
export interface ExistingRecord extends StateName {
  id: string;
  collection: string;
  accept: boolean;
  value: unknown;
  preferences: unknown;
  version: number | null;
  created_at: Date;
  answers: AnswersJson | null;
}

/** The same with value and preferences as JSON text: few differ, and each is parsed once. */
export type ExistingTexts = Pick<ExistingRecord, "id" | "token" | "identifier" | "accept"> &
  Record<"value" | "preferences", string | null>;

export async function listKeptById(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<ExistingTexts[]> {
  const archived = await listArchived(
    tx,
    ids.map((id) => ({ projectId, id })),
  );
  const { rows } = await sql<ExistingTexts>`
    SELECT r.*
    FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id)
    CROSS JOIN LATERAL (
      SELECT o.id, o.token, o.identifier, o.accept, o.value::text AS value,
        o.preferences::text AS preferences
      FROM ${consentsWith(archived)} o WHERE o.project_id = ${projectId} AND o.id = k.id OFFSET 0
    ) r`.execute(tx);
  return rows;
}

/** All records of these tokens and configurations, ordered by id. */
export async function listExistingRecords(
  tx: DataTx,
  projectId: string,
  keys: readonly StateName[],
): Promise<ExistingRecord[]> {
  const tokens = keys.map(({ token }) => token);
  const archived = await listArchivedOfTokens(tx, projectId, tokens);
  const { rows } = await sql<ExistingRecord>`
    SELECT r.*
    FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    CROSS JOIN LATERAL (
      SELECT o.id, o.token, o.identifier, o.collection, o.accept, o.value, o.preferences, o.version,
        o.created_at, coalesce(o.answers, (SELECT d.items FROM choices d WHERE d.project_id = o.project_id
          AND d.identifier = o.identifier AND d.choice = o.choice)) AS answers
      FROM ${consentsWith(archived)} o
      -- Uses the index by token: a configuration may have any number of records.
      WHERE o.project_id = ${projectId} AND o.token = k."token" AND o.identifier || '' = k."identifier"
      OFFSET 0
    ) r
    ORDER BY r.id`.execute(tx);
  return rows;
}

/** Rows in the text format of COPY. */
export interface NewRows {
  /** Ordered by id. */
  records: Buffer;
  /** The commitments, for the log to sequence. */
  queue: Buffer;
  /** States of tokens and configurations with a single record. */
  states: Buffer;
}

/**
 * Inserts new rows. An existing row is a unique violation: COPY has no ON CONFLICT, which would also
 * cost a look-up for each row.
 */
export async function copyNewRows(tx: DataTx, { records, queue, states }: NewRows): Promise<void> {
  await copyRows(tx, [
    toCopy("consents", copiedColumns.records, records),
    toCopy("consent_states", copiedColumns.states, states),
    toCopy("consent_queue", copiedColumns.queue, queue),
  ]);
}

function toCopy(table: string, columns: readonly string[], rows: Buffer): Copy {
  return { statement: `COPY ${table} (${columns.join(", ")}) FROM STDIN`, rows };
}

/**
 * Upserts states and replaces their history, which a merge computes again. Returns the number of new
 * states.
 */
export async function replaceStates(
  tx: DataTx,
  { states, past }: Record<"states" | "past", readonly object[]>,
): Promise<number> {
  const { rows } = await sql<{ opened: number }>`
    WITH state AS (
      ${sql.raw(insertStates)}
      SELECT ${sql.raw(stateFields)} FROM json_to_recordset(${JSON.stringify(states)}::json) AS ${sql.raw(stateRecord)}
      ON CONFLICT (project_id, token, identifier) DO UPDATE SET
        collection = excluded.collection, choice = excluded.choice, items = excluded.items,
        since = excluded.since, consent_id = excluded.consent_id, version = excluded.version,
        first_seen_at = excluded.first_seen_at, consents = excluded.consents
      -- xmax is set on existing rows, which this transaction has locked.
      RETURNING s.xmax::text = '0' AS is_new
    ), past AS (
      ${sql.raw(insertPast)} FROM json_to_recordset(${JSON.stringify(past)}::json) AS ${sql.raw(pastRecord)}
      ON CONFLICT (project_id, token, identifier, consent_id) DO UPDATE SET
        collection = excluded.collection, choice = excluded.choice, items = excluded.items,
        since = excluded.since, until_id = excluded.until_id, version = excluded.version
    )
    SELECT count(*) FILTER (WHERE is_new)::integer AS opened FROM state`.execute(tx);
  return rows[0]?.opened ?? 0;
}
