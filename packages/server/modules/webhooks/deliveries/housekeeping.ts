import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { deleteDeliveriesBefore } from "./log-store.ts";

const DAY_MS = 86_400_000;
const DELIVERED_DAYS = 7;
const OTHERS_DAYS = 30;
const DELETED_MAX = 5_000;

/** Deletes succeeded deliveries after a week, and all after thirty days. */
export async function deleteOldDeliveries(db: Db, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const range = { delivered: daysAgo(DELIVERED_DAYS), before: daysAgo(OTHERS_DAYS) };
  const deleteSome = () =>
    inTransaction(db, (tx) => deleteDeliveriesBefore(tx, { ...range, max: DELETED_MAX }));
  while ((await deleteSome()) === DELETED_MAX);
}
