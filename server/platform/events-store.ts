import type { Insertable } from "kysely";
import type { Tx } from "./db/db.ts";
import type { Tables } from "./db/tables.ts";

/** Appends to the events, which nothing ever changes or removes, and to what waits to be told; answers its id. */
export async function insertEvent(tx: Tx, event: Insertable<Tables["events"]>): Promise<number> {
  const { event_id: id } = await tx
    .with("event", (query) => query.insertInto("events").values(event).returning("id"))
    .insertInto("event_queue")
    .columns(["event_id"])
    .expression((query) => query.selectFrom("event").select("id"))
    .returning("event_id")
    .executeTakeFirstOrThrow();
  return id;
}
