import { findLogSize } from "../modules/evidence/log/placed.ts";
import { startNotificationJobs } from "../modules/notifications/jobs.ts";
import type { NotificationsApp } from "../modules/notifications/choices/ports.ts";
import { registerNotificationRoutes } from "../modules/notifications/routes.ts";
import { registerUnsubscribePage } from "../modules/notifications/unsubscribe-routes.ts";
import type { Http } from "../http/http.ts";
import { openSealer } from "../platform/crypto/sealing.ts";

/** Opens notifications: their routes, the page that ends mails, and the jobs that make and mail them. */
export async function openNotifications(
  opened: AsyncDisposableStack,
  http: Http,
  shared: Omit<NotificationsApp, "sealer" | "findLogSize"> & {
    secret: Buffer;
    hasBackgroundWork: boolean;
  },
): Promise<void> {
  const app = { ...shared, findLogSize, sealer: openSealer(shared.secret, "ended mails") };
  registerNotificationRoutes(http, app);
  registerUnsubscribePage(http, app);
  if (shared.hasBackgroundWork) opened.use(await startNotificationJobs(app));
}
