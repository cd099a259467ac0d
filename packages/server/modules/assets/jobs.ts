import { inTransaction } from "../../platform/db/transaction.ts";
import type { AssetsApp } from "./app.ts";
import { REMOVAL_QUEUE, type Removal, removeUnused } from "./storage/contents.ts";

/** Works the queue of contents that no asset has any more, and removes what an earlier process left. */
export async function startAssetJobs(
  app: Pick<AssetsApp, "db" | "jobs" | "objects" | "spool" | "now">,
): Promise<void> {
  await app.spool.removeLeft(app.now());
  const queue = { name: REMOVAL_QUEUE, concurrency: 1, retriesMax: 12, timeoutSeconds: 300 };
  await app.jobs.workQueue<Removal>(queue, (content) =>
    inTransaction(app.db, (tx) => removeUnused(tx, app.objects, content)),
  );
}

/** What is done each hour: too many renders of one file, and files that a request left behind. */
export async function keepAssets(app: Pick<AssetsApp, "renders" | "spool" | "now">): Promise<void> {
  await app.renders.trim();
  await app.spool.removeLeft(app.now());
}
