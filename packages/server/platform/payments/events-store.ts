import type { Db, Tx } from "../db/db.ts";

/** Records an event; false for a duplicate. The second of two concurrent calls waits for the first. */
export async function insertPaymentEvent(
  tx: Tx,
  event: { id: string; type: string; now: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto("payment_events")
    .values({ id: event.id, type: event.type, created_at: event.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes events older than `before`, which the provider no longer retries. */
export async function deletePaymentEvents(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("payment_events").where("created_at", "<", before).execute();
}
