import type { Insertable } from "kysely";
import type { Tx } from "./db/db.ts";
import type { Tables } from "./db/tables.ts";

/** Appends to the events; nothing ever changes or removes one. */
export async function insertEvent(tx: Tx, event: Insertable<Tables["events"]>): Promise<void> {
  await tx.insertInto("events").values(event).execute();
}
