import { type Selectable, sql } from "kysely";
import type { Db } from "../platform/db/db.ts";
import type { Tables } from "../platform/db/tables.ts";

/** The last values that clients have as numbers. */
export async function getPlainCounters(db: Db): Promise<Selectable<Tables["plain_counters"]>> {
  const { rows } = await sql<Selectable<Tables["plain_counters"]>>`
    SELECT event_id, position, delivery_id, leaf FROM plain_counters`.execute(db);
  const [plain] = rows;
  if (!plain) throw new Error("the table plain_counters has no row");
  return plain;
}
