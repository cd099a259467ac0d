import { type Selectable, sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import type { TokenKey } from "../states/token-locks-store.ts";

const DELETED_MAX = 5_000;

/** A proposal, with the time of the person's open request for erasure if there is one. */
export type ProposalRow = Selectable<Tables["erasure_proposals"]> & { requested_at: Date | null };

/** Inserts a proposal in place of one that expired. Returns whether it did: a token has one proposal. */
export async function insertProposal(
  tx: DataTx,
  row: Omit<ProposalRow, "requested_at">,
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO erasure_proposals AS p (id, project_id, token, proposed_by, proposed_at, expires_at)
    VALUES (${row.id}, ${row.project_id}, ${row.token}, ${row.proposed_by}, ${row.proposed_at}, ${row.expires_at})
    ON CONFLICT (project_id, token) DO UPDATE
      SET id = excluded.id, proposed_by = excluded.proposed_by, proposed_at = excluded.proposed_at,
        expires_at = excluded.expires_at
      WHERE p.expires_at <= excluded.proposed_at
    RETURNING id`.execute(tx);
  return rows.length > 0;
}

/** Proposals of a project that have not expired, oldest first; of one id or token if it is given. */
export async function listProposalRows(
  db: DataDb | DataTx,
  query: {
    projectId: string;
    now: Date;
    id?: string | undefined;
    token?: string | undefined;
    after?: string | undefined;
  },
  limit: number,
): Promise<ProposalRow[]> {
  const { projectId, now, id = null, token = null, after = null } = query;
  const { rows } = await sql<ProposalRow>`
    SELECT p.*, r.requested_at FROM erasure_proposals p
    LEFT JOIN erasure_requests r
      ON r.project_id = p.project_id AND r.token = p.token AND r.declined_at IS NULL
    WHERE p.project_id = ${projectId} AND p.expires_at > ${now}
      AND (${id}::text IS NULL OR p.id = ${id}) AND (${token}::text IS NULL OR p.token = ${token})
      AND (${after}::text IS NULL OR p.id > ${after})
    ORDER BY p.id LIMIT ${limit}`.execute(db);
  return rows;
}

export async function deleteProposalOf(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  await sql`
    DELETE FROM erasure_proposals WHERE project_id = ${projectId} AND token = ${token}`.execute(tx);
}

/** Whether the project has a record or a state of the token. */
export async function hasTokenData(tx: DataTx, { projectId, token }: TokenKey): Promise<boolean> {
  const ofToken = (table: string) => sql`EXISTS (
    SELECT 1 FROM ${sql.table(table)} o WHERE o.project_id = ${projectId} AND o.token = ${token})`;
  const { rows } = await sql<{ found: boolean }>`
    SELECT ${ofToken("consent_states")} OR ${ofToken("past_states")} OR ${ofToken("consents")} AS found`.execute(
    tx,
  );
  return rows[0]?.found === true;
}

/** Deletes proposals that expired before a time, one batch per transaction. */
export async function deleteExpiredProposals(db: DataDb, before: Date): Promise<void> {
  for (let deleted = DELETED_MAX; deleted === DELETED_MAX;) {
    const { numAffectedRows } = await sql`
      DELETE FROM erasure_proposals WHERE id IN (
        SELECT id FROM erasure_proposals WHERE expires_at <= ${before} LIMIT ${DELETED_MAX})`.execute(
      db,
    );
    deleted = Number(numAffectedRows ?? 0n);
  }
}
