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

/** Providers tell an event again for three days; this is as long as somebody may send one again by hand. */
const EVENT_DAYS = 60;
const DAY_MS = 86_400_000;
/** With back-off, over an hour; then the night's look is the next. */
const RETRIES_MAX = 12;

/** Works what the provider's events ask for, and looks at every customer once a night. */
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

/** What is done each hour: events that nobody tells any more are forgotten. */
export async function keepBilling({ db, now }: { db: Db; now: () => Date }): Promise<void> {
  await deletePaymentEvents(db, new Date(now().getTime() - EVENT_DAYS * DAY_MS));
}
