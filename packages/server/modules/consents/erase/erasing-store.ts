import { sql } from "kysely";
import type { DataTx } from "../../../platform/db/db.ts";
import type { ChoiceKey } from "../states/answer-combinations-store.ts";
import type { TokenKey } from "../states/token-locks-store.ts";

/** The combination that a deleted row referenced; `choice` is null if it had none. */
export type NamedChoice = Pick<ChoiceKey, "identifier"> & { choice: number | null };

/** The first `limit` ids of a token's records. */
export async function listTokenIds(
  tx: DataTx,
  { projectId, token }: TokenKey,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM consents WHERE project_id = ${projectId} AND token = ${token}
    ORDER BY id LIMIT ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Deletes records; returns those that existed. */
export async function deleteRecords(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<(NamedChoice & { id: string })[]> {
  const { rows } = await sql<NamedChoice & { id: string }>`
    DELETE FROM consents WHERE project_id = ${projectId} AND id = ANY(${sql.val([...ids])}::uuid[])
    RETURNING id, identifier, choice`.execute(tx);
  return rows;
}

/** Deletes up to `limit` past states of a token; returns their number and their distinct combinations. */
export async function deletePastStates(
  tx: DataTx,
  { projectId, token }: TokenKey,
  limit: number,
): Promise<{ named: NamedChoice[]; count: number }> {
  const { rows } = await sql<NamedChoice & { count: number }>`
    WITH gone AS (
      DELETE FROM past_states WHERE project_id = ${projectId} AND token = ${token}
        AND (identifier, consent_id) IN (
          SELECT identifier, consent_id FROM past_states
          WHERE project_id = ${projectId} AND token = ${token} LIMIT ${limit})
      RETURNING identifier, choice
    )
    SELECT identifier, choice, count(*)::integer AS count FROM gone GROUP BY identifier, choice`.execute(
    tx,
  );
  return { named: rows, count: rows.reduce((sum, { count }) => sum + count, 0) };
}

/** Deletes the states of a token; returns their combinations. */
export async function deleteStates(
  tx: DataTx,
  { projectId, token }: TokenKey,
): Promise<NamedChoice[]> {
  const { rows } = await sql<NamedChoice>`
    DELETE FROM consent_states WHERE project_id = ${projectId} AND token = ${token}
    RETURNING identifier, choice`.execute(tx);
  return rows;
}

/**
 * Deletes other data about erased records: their idempotency keys with digests of the requests, and their entries in
 * the log's queue. Waits for the log if it is sequencing one of them.
 */
export async function deleteTraces(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<void> {
  const isOurs = sql`project_id = ${projectId} AND consent_id = ANY(${sql.val([...ids])}::uuid[])`;
  await sql`DELETE FROM consent_queue WHERE ${isOurs}`.execute(tx);
  await sql`DELETE FROM consent_keys WHERE ${isOurs}`.execute(tx);
}

/** Deletes exports that were filtered by the token. */
export async function deleteExportsOf(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  await sql`
    DELETE FROM exports WHERE project_id = ${projectId} AND filters ->> 'token' = ${token}`.execute(
    tx,
  );
}

/** The distinct combinations that present and past states reference. */
export async function listNamedChoices(
  tx: DataTx,
  projectId: string,
  keys: readonly { token: string; identifier: string }[],
): Promise<NamedChoice[]> {
  const of = (table: string) => sql`
    SELECT s.identifier, s.choice FROM k CROSS JOIN LATERAL (
      SELECT identifier, choice FROM ${sql.table(table)} o
      WHERE o.project_id = ${projectId} AND o.token = k."token" AND o.identifier = k."identifier" OFFSET 0
    ) s`;
  const { rows } = await sql<NamedChoice>`
    WITH k AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(keys)}::json) AS k("token" text, "identifier" text)
    )
    ${of("consent_states")} UNION ${of("past_states")}`.execute(tx);
  return rows;
}
