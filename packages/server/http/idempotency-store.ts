import { sql } from "kysely";
import type { DataDb, DataTx, Db, Tx } from "../platform/db/db.ts";
import { REPLICATION_BARRIER } from "../platform/db/connections/replication.ts";

/**
 * Claims an idempotency key inside the transaction of the write that it guards, in the same plane. The second of two
 * concurrent claims waits here until the first commits (then it is not claimed) or rolls back.
 */
export async function claimKey(
  tx: Tx | DataTx,
  key: { hash: Buffer; requestHash: Buffer; now: Date },
): Promise<{ claimed: true } | { claimed: false; requestHash: Buffer; answer: Buffer }> {
  const { rows: inserted } = await sql`
    INSERT INTO idempotency_keys (hash, request_hash, created_at)
    VALUES (${key.hash}, ${key.requestHash}, ${key.now})
    ON CONFLICT (hash) DO NOTHING RETURNING 1`.execute(tx);
  if (inserted.length > 0) return { claimed: true };
  const { rows } = await sql<{ requestHash: Buffer; answer: Buffer | null }>`
    SELECT request_hash AS "requestHash", answer FROM idempotency_keys WHERE hash = ${key.hash}`.execute(
    tx,
  );
  const [row] = rows;
  if (!row) throw new Error("a claimed idempotency key is missing");
  // The commit of the first request may not have been confirmed.
  await sql`${sql.raw(REPLICATION_BARRIER)} FROM idempotency_keys WHERE hash = ${key.hash}`.execute(
    tx,
  );
  return { claimed: false, requestHash: row.requestHash, answer: row.answer ?? Buffer.alloc(0) };
}

/** Stores the answer of a key, in the transaction that claimed it. */
export async function saveAnswer(tx: Tx | DataTx, hash: Buffer, answer: Buffer): Promise<void> {
  await sql`UPDATE idempotency_keys SET answer = ${answer} WHERE hash = ${hash}`.execute(tx);
}

export async function deleteKeysBefore(db: Db | DataDb, before: Date): Promise<void> {
  await sql`DELETE FROM idempotency_keys WHERE created_at < ${before}`.execute(db);
}
