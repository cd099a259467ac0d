import type { Db } from "../../platform/db/db.ts";
import type { Jobs } from "../../kernel/jobs.ts";
import { deletePaymentEvents } from "../../platform/payments/events-store.ts";
import {
  REFRESH_QUEUE,
  type Refresh,
  type Refreshing,
  reconcile,
  refreshSubscription,
} from "./refresh.ts";

/** Providers retry an event for three days, but it can be resent by hand for longer. */
const EVENT_DAYS = 60;
const DAY_MS = 86_400_000;
/** More than an hour with backoff, until the nightly refresh. */
const RETRIES_MAX = 12;

/** Runs the refreshes that the provider's events request, and refreshes every customer once a night. */
export async function startBillingJobs(
  app: Refreshing & { jobs: Pick<Jobs, "workQueue" | "scheduleJob"> },
): Promise<void> {
  if (!app.payments.charging) return;
  const queue = { concurrency: 2, retriesMax: RETRIES_MAX, timeoutSeconds: 120 };
  await app.jobs.workQueue<Refresh>({ ...queue, name: REFRESH_QUEUE }, (refresh) =>
    refreshSubscription(app, refresh),
  );
  await app.jobs.scheduleJob("billing-reconcile", "23 3 * * *", () => reconcile(app));
}

/** Hourly: deletes events that the provider no longer sends. */
export async function runBillingHousekeeping({
  db,
  now,
}: {
  db: Db;
  now: () => Date;
}): Promise<void> {
  await deletePaymentEvents(db, new Date(now().getTime() - EVENT_DAYS * DAY_MS));
}
