import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { BUCKETS_ROW } from "../../../platform/db/buckets/one-row.ts";

/**
 * The start of the oldest running transaction that collects, by the clock of the server that holds the bucket; the
 * present without one (migration 0090).
 */
export async function findCollectingSince(db: DataDb): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    SELECT find_collecting_since() AS since FROM ${sql.raw(BUCKETS_ROW)}`.execute(db);
  // Without an answer, nothing is safe to read.
  return rows[0]?.since ?? new Date(0);
}
