import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { COLLECTING_NAME } from "../../../platform/db/open.ts";

/** The class of the lock that a transaction holds while it collects (migration 0060). */
const COLLECTING_LOCK = 4_711_002;

/**
 * The start of the oldest running transaction that collects, by the database's clock; the present without one. `now()`
 * is the start of this statement, so any transaction that it does not see takes its lock later. Transactions of versions
 * before the lock are found by the name of their connection.
 */
export async function findCollectingSince(db: DataDb): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    SELECT least(now(), min(xact_start)) AS since FROM pg_stat_activity
    WHERE datname = current_database() AND (application_name = ${COLLECTING_NAME} OR pid IN (
      SELECT pid FROM pg_locks
      -- Locks of two numbers have objsubid 2.
      WHERE locktype = 'advisory' AND classid = ${COLLECTING_LOCK} AND objsubid = 2))
  `.execute(db);
  return rows[0]?.since ?? new Date(0);
}
