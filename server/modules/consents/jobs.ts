import type { Db } from "../../platform/db/db.ts";
import { deleteConsentKeys } from "./keys-store.ts";
import { keepMonths } from "./months-store.ts";

/** Tables are there before their month comes, whatever housekeeping may have missed. */
const AHEAD_MS = 40 * 86_400_000;

/** Makes room for the records to come, and forgets keys that have ended. */
export async function keepConsentTables({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  const today = now();
  await keepMonths(db, today, new Date(today.getTime() + AHEAD_MS));
  await deleteConsentKeys(db, today);
}
