import type { Db } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { openRounds } from "../../platform/queues/rounds.ts";
import type { WebhooksApp } from "./app.ts";
import { feedBehind } from "./behind.ts";
import { deleteDeliveriesBefore } from "./delivery-log-store.ts";
import { openDispatcher } from "./dispatcher.ts";
import { forgetErased } from "./erased.ts";
import { feedDeliveries } from "./feed.ts";
import { deleteMarksBefore } from "./feed-store.ts";

const FEED_IDLE_MS = 100;
const FEED_RETRY_MS = 1_000;
const FORGET_IDLE_MS = 500;
const FORGET_RETRY_MS = 5_000;
const DAY_MS = 86_400_000;
const DELIVERED_DAYS = 7;
const OTHERS_DAYS = 30;
const MARKS_DAYS = 90;
const DELETED_MAX = 5_000;

/** Opens the work behind webhooks: what happened becomes deliveries, and these are sent. */
export function startWebhooks(app: WebhooksApp): AsyncDisposable {
  const dispatcher = openDispatcher({ ...app, db: app.sendingDb });
  const feed = openRounds(
    async (signal) => {
      const fed = await feedDeliveries(app);
      if (fed && fed.made > 0) dispatcher.wake();
      const behind = await feedBehind(app, signal);
      if (behind.made > 0) dispatcher.wake();
      if (fed?.isMore || behind.isMore) return 0;
      return fed ? FEED_IDLE_MS : FEED_RETRY_MS;
    },
    {
      retryMs: FEED_RETRY_MS,
      onError: (err) => app.log.error({ err }, "what happened was not handed to webhooks"),
    },
  );
  const forgetting = openRounds(async () => ((await forgetErased(app)) ? 0 : FORGET_IDLE_MS), {
    retryMs: FORGET_RETRY_MS,
    onError: (err) => app.log.error({ err }, "deliveries of erased records were not forgotten"),
  });
  return {
    async [Symbol.asyncDispose]() {
      const parts = [feed, forgetting, dispatcher];
      await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
    },
  };
}

/** Forgets deliveries: those that succeeded after a week, all after thirty days. */
export async function deleteOldDeliveries(db: Db, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  const bounds = { delivered: daysAgo(DELIVERED_DAYS), before: daysAgo(OTHERS_DAYS) };
  for (;;) {
    const count = await inTransaction(db, (tx) =>
      deleteDeliveriesBefore(tx, { ...bounds, max: DELETED_MAX }),
    );
    if (count < DELETED_MAX) break;
  }
  await deleteMarksBefore(db, daysAgo(MARKS_DAYS));
}
