import { inTransaction } from "../../platform/db/transaction.ts";
import type { AssetsApp } from "./app.ts";
import { REMOVAL_QUEUE, type Removal, removeUnused } from "./storage/contents.ts";

/** Starts the worker that removes unused contents, and removes temporary files of an earlier process. */
export async function startAssetJobs(
  app: Pick<AssetsApp, "db" | "jobs" | "objects" | "spool" | "now">,
): Promise<void> {
  await app.spool.removeAbandoned(app.now());
  const queue = { name: REMOVAL_QUEUE, concurrency: 1, retriesMax: 12, timeoutSeconds: 300 };
  await app.jobs.workQueue<Removal>(queue, (content) =>
    inTransaction(app.db, (tx) => removeUnused(tx, app.objects, content)),
  );
}

/** Hourly cleanup: excess renders of a file, and temporary files of aborted requests. */
export async function runAssetHousekeeping(
  app: Pick<AssetsApp, "renders" | "spool" | "now">,
): Promise<void> {
  await app.renders.trim();
  await app.spool.removeAbandoned(app.now());
}
