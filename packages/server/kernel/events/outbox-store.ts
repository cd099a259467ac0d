import { type Insertable, sql } from "kysely";
import type { DataDb, DataTx } from "../../platform/db/db.ts";
import type { Tables } from "../../platform/db/tables.ts";

/** An event that waits in the data plane. */
export type NotedEvent = Omit<Insertable<Tables["events"]>, "id"> & { id: string };

export async function insertOutbox(tx: DataTx, { id, ...event }: NotedEvent): Promise<void> {
  await sql`
    INSERT INTO event_outbox (id, event) VALUES (${id}, ${JSON.stringify(event)}::json)`.execute(
    tx,
  );
}

/** The oldest events that wait. */
export async function listOutbox(db: DataDb, max: number): Promise<NotedEvent[]> {
  const { rows } = await sql<{ id: string; event: NotedEvent }>`
    SELECT id, event FROM event_outbox ORDER BY id LIMIT ${max}`.execute(db);
  return rows.map(({ id, event }) => ({ ...event, id }));
}

export async function deleteOutbox(db: DataDb, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM event_outbox WHERE id = ANY (${sql.val([...ids])}::uuid[])`.execute(db);
}
