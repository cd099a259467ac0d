import { type Insertable, sql } from "kysely";
import type { Tx } from "./db/db.ts";
import type { Tables } from "./db/tables.ts";

/** Appends to the events, which nothing ever changes or removes, and to what waits to be told; answers its id. */
export async function insertEvent(tx: Tx, event: Insertable<Tables["events"]>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH event AS (
      INSERT INTO events (name, actor, project_id, document_id, request_id, data, created_at)
      VALUES (${event.name}, ${event.actor}, ${event.project_id ?? null}, ${event.document_id ?? null},
        ${event.request_id ?? null}, ${event.data}, ${event.created_at})
      RETURNING id
    )
    INSERT INTO event_queue SELECT id FROM event RETURNING event_id AS id`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error("An event was not recorded.");
  return row.id;
}
