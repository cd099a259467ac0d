import { inTransaction } from "../../platform/db/transaction.ts";
import type { WebhooksApp } from "./app.ts";
import { forgetDeliveries, takeErased } from "./erased-store.ts";

const ERASED_MAX = 1_000;

/**
 * Forgets some of what is kept of records that were erased. Any number of nodes may ask for it. Answers whether more
 * may wait.
 */
export async function forgetErased({ db, now }: Pick<WebhooksApp, "db" | "now">): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const erased = await takeErased(tx, ERASED_MAX);
    if (erased.length > 0) await forgetDeliveries(tx, erased, now());
    return erased.length === ERASED_MAX;
  });
}
