import { sql } from "kysely";
import type { Db } from "../../../platform/db/db.ts";
import { COLLECTING_NAME } from "../../../platform/db/open.ts";

/**
 * When the oldest transaction that is collecting now began, by the database's clock; the present
 * when there is none. `now()` is when this statement began, so that no transaction that it does not
 * see can be older.
 */
export async function findCollectingSince(db: Db): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    SELECT least(now(), min(xact_start)) AS since FROM pg_stat_activity
    WHERE application_name = ${COLLECTING_NAME} AND datname = current_database()
  `.execute(db);
  return rows[0]?.since ?? new Date(0);
}
