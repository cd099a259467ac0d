import { deleteConsentKeys } from "./idempotency-keys-store.ts";
import { deleteEndedLinks } from "../links/links-store.ts";
import type { ConsentsPorts } from "../ports.ts";
import { keepMonths } from "../records/months-store.ts";
import { deleteCountsBefore } from "../stats/recount-store.ts";
import { keepStatistics } from "../statistics-store.ts";

/** Tables are there before their month comes, whatever housekeeping may have missed. */
const AHEAD_MS = 40 * 86_400_000;

/** Three years, which two are compared in. */
const COUNTS_KEPT_MS = 3 * 366 * 86_400_000;

type Keeping = Pick<ConsentsPorts, "db" | "now">;

/** Before consents are collected: makes room for them, and mends what a crash may have left. */
export async function startConsents(kept: Keeping): Promise<void> {
  await keepConsentMonths(kept);
  await keepStatistics(kept.db);
}

/** Makes room for the records to come. */
async function keepConsentMonths({ db, now }: Keeping): Promise<void> {
  const today = now();
  await keepMonths(db, today, new Date(today.getTime() + AHEAD_MS));
}

/** The same from time to time, and forgets keys that have ended. */
export async function keepConsentTables(kept: Keeping): Promise<void> {
  await startConsents(kept);
  await deleteConsentKeys(kept.db, kept.now());
  await deleteEndedLinks(kept.db, kept.now());
  await deleteCountsBefore(kept.db, new Date(kept.now().getTime() - COUNTS_KEPT_MS));
}
