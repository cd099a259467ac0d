import { sql } from "kysely";
import type { DataDb, DataTx } from "../db.ts";
import { inTransaction } from "../transaction.ts";

/** Age of the last confirmation at which a node answers for no project any more until the next one. */
export const NODE_STALE_MS = 15_000;
/** Age at which commands take a node for ended. Transactions that it began before it was stale have timed out by then. */
export const NODE_ENDED_MS = 45_000;

/** Nodes hold it shared while they confirm themselves, `avow db move` alone in each of its transactions. */
const moving = sql`hashtextextended('avow db move', 0)`;
const endedAt = sql`clock_timestamp() - ${sql.lit(NODE_ENDED_MS)} * interval '1 millisecond'`;

/** Confirms that a node runs and knows this many buckets. False, and nothing is stored, while a project is moved. */
export async function confirmNode(
  home: DataDb,
  { id, buckets }: { id: string; buckets: number },
): Promise<boolean> {
  return inTransaction(home, async (tx) => {
    const { rows } = await sql<{ isFree: boolean }>`
      SELECT pg_try_advisory_xact_lock_shared(${moving}) AS "isFree"`.execute(tx);
    if (rows[0]?.isFree !== true) return false;
    await sql`
      INSERT INTO nodes (id, buckets, seen_at) VALUES (${id}, ${buckets}, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET buckets = excluded.buckets, seen_at = excluded.seen_at`.execute(
      tx,
    );
    return true;
  });
}

/** Removes a node that ends, and those that ended without removing themselves. */
export async function deleteNode(home: DataDb, id: string): Promise<void> {
  await sql`DELETE FROM nodes WHERE id = ${id} OR seen_at < ${endedAt}`.execute(home);
}

/** The number of nodes that run; with `behind`, only of those that know fewer buckets. */
export async function countNodes(home: DataDb | DataTx, behind?: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM nodes
    WHERE seen_at > ${endedAt} AND buckets < ${behind ?? sql`buckets + 1`}`.execute(home);
  return rows[0]?.count ?? 0;
}

/** Keeps nodes from confirming themselves, and thereby from starting, until the transaction ends. */
export async function lockNodes(tx: DataTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${moving})`.execute(tx);
}
