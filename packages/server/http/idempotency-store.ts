import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/db.ts";
import { REPLICATION_BARRIER } from "../platform/db/connections/replication.ts";

/**
 * Claims an idempotency key inside the transaction of the write that it guards. The second of two concurrent
 * claims waits here until the first commits (then it is not claimed) or rolls back.
 */
export async function claimKey(
  tx: Tx,
  key: { hash: Buffer; requestHash: Buffer; now: Date },
): Promise<{ claimed: true } | { claimed: false; requestHash: Buffer; answer: Buffer }> {
  const inserted = await tx
    .insertInto("idempotency_keys")
    .values({ hash: key.hash, request_hash: key.requestHash, answer: null, created_at: key.now })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  if (inserted) return { claimed: true };
  const row = await tx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "answer"])
    .where("hash", "=", key.hash)
    .executeTakeFirstOrThrow();
  // The commit of the first request may not have been confirmed.
  await sql.raw(REPLICATION_BARRIER).execute(tx);
  return { claimed: false, requestHash: row.request_hash, answer: row.answer ?? Buffer.alloc(0) };
}

/** Stores the answer of a key, in the transaction that claimed it. */
export async function saveAnswer(tx: Tx, hash: Buffer, answer: Buffer): Promise<void> {
  await tx.updateTable("idempotency_keys").set({ answer }).where("hash", "=", hash).execute();
}

export async function deleteKeysBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("idempotency_keys").where("created_at", "<", before).execute();
}
