import { openWorkerLoop } from "../../platform/queues/worker-loop.ts";
import { sendDigests } from "./mails/digest.ts";
import { recordDue } from "./feed/due.ts";
import { notifyNext } from "./feed/notify.ts";
import type { NotificationsApp } from "./choices/ports.ts";
import { deleteOldNotifications } from "./feed/store.ts";
import { sendWeeklyMails } from "./mails/weekly.ts";

const IDLE_MS = 1_000;
const RETRY_MS = 5_000;
/** Retention period, and the maximum of a user. */
const KEPT_MS = 90 * 86_400_000;
const PER_USER_MAX = 500;

/** Starts to make notifications, and to send daily and weekly mails. Any number of nodes may do so. */
export async function startNotificationJobs(app: NotificationsApp): Promise<AsyncDisposable> {
  const loop = openWorkerLoop(async () => ((await notifyNext(app)) ? 0 : IDLE_MS), {
    retryMs: RETRY_MS,
    onError: (err) => app.log.error({ err }, "notifications not made, will retry"),
  });
  await app.jobs.scheduleJob("daily-mails", "*/10 * * * *", () => sendDigests(app));
  await app.jobs.scheduleJob("weekly-mails", "5-59/10 * * * *", () => sendWeeklyMails(app));
  await app.jobs.scheduleJob("notifications-due", "41 * * * *", async () => {
    await recordDue(app);
    const before = new Date(app.now().getTime() - KEPT_MS);
    await deleteOldNotifications(app.db, { before, perUser: PER_USER_MAX });
  });
  return loop;
}
