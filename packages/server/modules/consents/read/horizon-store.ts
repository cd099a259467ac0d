import { sql } from "kysely";
import type { DataDb } from "../../../platform/db/db.ts";
import { COLLECTING_NAME } from "../../../platform/db/open.ts";

/**
 * The start of the oldest running transaction that collects, by the database's clock; the present without one. `now()`
 * is the start of this statement, so any transaction that it does not see is newer.
 */
export async function findCollectingSince(db: DataDb): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    SELECT least(now(), min(xact_start)) AS since FROM pg_stat_activity
    WHERE application_name = ${COLLECTING_NAME} AND datname = current_database()
  `.execute(db);
  return rows[0]?.since ?? new Date(0);
}
