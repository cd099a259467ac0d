import type { Db, Tx } from "../db/db.ts";

/** Keeps that an event was told; false when it was told before. Of two tellers at once the second waits for the first. */
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

/** Forgets what was told before `before`: nobody tells it again. */
export async function deletePaymentEvents(db: Db, before: Date): Promise<void> {
  await db.deleteFrom("payment_events").where("created_at", "<", before).execute();
}
