import { forEachBucket } from "../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import type { WebhooksApp } from "../ports.ts";
import { feedBehind, feedHead } from "./feed.ts";
import { deleteErased, listErased } from "./erased-store.ts";
import { deleteMarksBefore, forgetErased } from "./store.ts";

const FEED_IDLE_MS = 100;
const FEED_RETRY_MS = 1_000;
const FORGET_IDLE_MS = 500;
const FORGET_RETRY_MS = 5_000;
const FORGOTTEN_MAX = 1_000;

const MARKS_MS = 90 * 86_400_000;

/** Deletes marks after ninety days: an older replay begins at the beginning. */
export function deleteOldMarks(db: WebhooksApp["db"], now: Date): Promise<void> {
  return deleteMarksBefore(db, new Date(now.getTime() - MARKS_MS));
}

/** Starts the feed, and the removal of erased records from deliveries. Any number of nodes may run them. */
export function startFeed(app: WebhooksApp, onDeliveries: () => void): AsyncDisposable {
  const { db, now, log } = app;
  const feed = openWorkerLoop(
    async () => {
      const head = await feedHead(app);
      if (head && head.made > 0) onDeliveries();
      const behind = await feedBehind(app);
      if (behind.made > 0) onDeliveries();
      if (head?.hasMore || behind.hasMore) return 0;
      return head ? FEED_IDLE_MS : FEED_RETRY_MS;
    },
    {
      retryMs: FEED_RETRY_MS,
      onError: (err) => log.error({ err }, "webhook feed failed, will retry"),
    },
  );
  const forget = openWorkerLoop(
    async () => {
      const hasMore = await forEachBucket(app, async (data) => {
        const erased = await listErased(data, FORGOTTEN_MAX);
        if (erased.length === 0) return false;
        await inTransaction(db, (tx) => forgetErased(tx, erased, now()));
        await deleteErased(data, erased);
        return erased.length === FORGOTTEN_MAX;
      });
      return hasMore ? 0 : FORGET_IDLE_MS;
    },
    {
      retryMs: FORGET_RETRY_MS,
      onError: (err) => log.error({ err }, "removal of erased records from webhooks failed"),
    },
  );
  const parts = new AsyncDisposableStack();
  parts.use(feed);
  parts.use(forget);
  return parts;
}
