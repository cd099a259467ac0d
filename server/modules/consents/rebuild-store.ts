import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";
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

/** Projects with records or states, in order. */
export async function listLedgerProjects(db: Db): Promise<string[]> {
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

/** The next tokens of a project that records or states have. */
export async function listLedgerTokens(
  db: Db,
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

export interface SaidRow {
  id: string;
  token: string;
  identifier: string;
  collection: string;
  version: number | null;
  created_at: Date;
  answers: AnswersJson | null;
}

const tokensOf = (tokens: readonly string[]) => sql`ANY(${sql.val([...tokens])}::text[])`;

/** What the records of these tokens say, in their order. */
export async function listSaid(
  tx: Tx,
  { projectId, tokens }: { projectId: string; tokens: readonly string[] },
): Promise<SaidRow[]> {
  const { rows } = await sql<SaidRow>`
    SELECT r.id, r.token, r.identifier, r.collection, r.version, r.created_at,
      coalesce(r.answers, c.items) AS answers
    FROM consents r LEFT JOIN choices c ON c.project_id = r.project_id AND c.identifier = r.identifier
      AND c.choice = r.choice
    WHERE r.project_id = ${projectId} AND r.token = ${tokensOf(tokens)}
    ORDER BY r.token, r.id
  `.execute(tx);
  return rows;
}

/** The states of these tokens, past ones with the record that ended each; locked where `lock` says so. */
export async function listLedger(
  tx: Tx,
  { projectId, tokens }: { projectId: string; tokens: readonly string[] },
  lock: boolean,
): Promise<{ states: StateRow[]; past: (StateRow & { until_id: string })[] }> {
  const where = sql`s.project_id = ${projectId} AND s.token = ${tokensOf(tokens)}`;
  const choice = sql`LEFT JOIN choices c ON c.project_id = s.project_id AND c.identifier = s.identifier
    AND c.choice = s.choice`;
  const states = await sql<StateRow>`
    SELECT ${sql.raw(stateColumns)} FROM consent_states s ${choice} WHERE ${where}
    ORDER BY s.token, s.identifier ${lock ? sql`FOR UPDATE OF s` : sql``}
  `.execute(tx);
  const past = await sql<StateRow & { until_id: string }>`
    SELECT s.*, c.items AS choice_items FROM past_states s ${choice} WHERE ${where}
  `.execute(tx);
  return { states: states.rows, past: past.rows };
}

/** Writes the states of some tokens and configurations anew, the past ones with them. */
export async function replaceLedger(
  tx: Tx,
  {
    projectId,
    keys,
    states,
    past,
  }: {
    projectId: string;
    keys: readonly { token: string; identifier: string }[];
    states: readonly object[];
    past: readonly object[];
  },
): Promise<void> {
  const named = sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k("token" text, "identifier" text)`;
  for (const table of ["consent_states", "past_states"])
    await sql`
      DELETE FROM ${sql.table(table)} t USING ${named}
      WHERE t.project_id = ${projectId} AND t.token = k."token" AND t.identifier = k."identifier"
    `.execute(tx);
  await sql`
    ${sql.raw(insertStates)}
    SELECT ${sql.raw(stateFields)} FROM json_to_recordset(${JSON.stringify(states)}::json) AS ${sql.raw(stateRecord)}
  `.execute(tx);
  await sql`
    ${sql.raw(insertPast)} FROM json_to_recordset(${JSON.stringify(past)}::json) AS ${sql.raw(pastRecord)}
  `.execute(tx);
}
