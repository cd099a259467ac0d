import type { NotificationsApp } from "../choices/ports.ts";

const USERS_PER_PAGE = 200;
/** A run ends after this time, which is below the lease of a scheduled job. */
const RUN_MS = 5 * 60_000;

interface Page {
  /** The last user of the page before. */
  after: string;
  limit: number;
}

/**
 * Sends their mails to users, whom `listPage` lists in the order of their ids. An error of one is logged. The next run sends
 * the mails that are still due.
 */
export async function sendToUsers<T extends { user_id: string }>(
  { now, log }: Pick<NotificationsApp, "now" | "log">,
  listPage: (page: Page) => Promise<T[]>,
  send: (user: T) => Promise<void>,
): Promise<void> {
  const end = now().getTime() + RUN_MS;
  for (let after = ""; ;) {
    const users = await listPage({ after, limit: USERS_PER_PAGE });
    for (const user of users) {
      if (now().getTime() >= end) return;
      try {
        await send(user);
      } catch (err) {
        log.error({ err, userId: user.user_id }, "mail of notifications not sent, will retry");
      }
      after = user.user_id;
    }
    if (users.length < USERS_PER_PAGE) return;
  }
}
