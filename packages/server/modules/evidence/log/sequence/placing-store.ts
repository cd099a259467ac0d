import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../../platform/db/db.ts";

/** The bucket that may have assigned the leaves after the latest tree, undefined if none has; the number of assignments. */
export async function readPlacingTurn(
  tx: DataTx,
): Promise<{ bucket: string | undefined; term: number }> {
  const { rows } = await sql<{ bucket: string | null; term: number }>`
    SELECT placing_bucket AS bucket, placing_term AS term FROM log_heads`.execute(tx);
  const [row] = rows;
  return { bucket: row?.bucket ?? undefined, term: row?.term ?? 0 };
}

/**
 * Records that a bucket is about to assign the leaves after the tree of `size`, before it does. Returns the number of this
 * assignment.
 * @throws Error if the tree has grown, or it is another bucket's turn: this process has lost the sequencer's lock
 */
export async function beginPlacing(home: DataDb, bucket: string, size: number): Promise<number> {
  const { rows } = await sql<{ term: number }>`
    UPDATE log_heads SET placing_bucket = ${bucket}, placing_term = placing_term + 1
    WHERE size = ${size} AND coalesce(placing_bucket, ${bucket}) = ${bucket}
    RETURNING placing_term AS term`.execute(home);
  const [row] = rows;
  if (!row) throw new Error(`It is not the turn of bucket ${bucket} to assign leaves.`);
  return row.term;
}

/**
 * Records that assignment `term` has assigned no leaf.
 * @throws Error if another process has begun a later one
 */
export async function endPlacing(tx: DataTx, term: number): Promise<void> {
  const { rows } = await sql`
    UPDATE log_heads SET placing_bucket = NULL WHERE placing_term = ${term} RETURNING 1`.execute(
    tx,
  );
  if (rows.length === 0) throw new Error("Another process assigns leaves.");
}

/**
 * Excludes all earlier assignments of this bucket: waits for one that is committing, and keeps the others from it. False
 * if a later one has excluded this.
 */
export async function fencePlacing(tx: DataTx, term: number): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO log_placing_fence AS f (id, term) VALUES (1, ${term})
    ON CONFLICT (id) DO UPDATE SET term = excluded.term WHERE f.term < excluded.term
    RETURNING 1`.execute(tx);
  return rows.length === 1;
}

/** The entries that were assigned from leaf `first` on, and that no tree has. */
export async function readPlacing(tx: DataTx, first: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ entries: Buffer }>`
    SELECT entries FROM log_placing WHERE first_leaf = ${first}`.execute(tx);
  return rows[0]?.entries;
}

/** Stores the entries from leaf `first` on, in place of those that the tree has. */
export async function putPlacing(tx: DataTx, first: number, entries: Buffer): Promise<void> {
  await sql`DELETE FROM log_placing WHERE first_leaf < ${first}`.execute(tx);
  await sql`
    INSERT INTO log_placing (first_leaf, entries) VALUES (${first}, ${entries})`.execute(tx);
}

/** Whether consents of the bucket wait for their leaves. */
export async function hasQueued(data: DataDb): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM consent_queue LIMIT 1`.execute(data);
  return rows.length > 0;
}
