import { sql } from "kysely";
import type { DataTx } from "../../../platform/db/db.ts";

export interface TokenKey {
  projectId: string;
  token: string;
}

/** Serializes erasures of a token: each transaction sees the result of the previous one. */
export async function lockTokenErasing(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  const name = `erasing ${projectId} ${token}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Locks the states of a token, so that no consent replaces them until the transaction ends. */
export async function lockTokenStates(tx: DataTx, { projectId, token }: TokenKey): Promise<void> {
  await sql`
    SELECT 1 FROM consent_states WHERE project_id = ${projectId} AND token = ${token}
    ORDER BY identifier FOR UPDATE`.execute(tx);
}
