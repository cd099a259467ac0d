import { toCtx } from "../../kernel/ctx.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { Fault } from "../../platform/errors.ts";
import type { ScansApp } from "./ports.ts";
import { SCAN_SECONDS, runScan, scanner } from "./run.ts";
import { SCAN_QUEUE, requestScan } from "./scans.ts";
import { deleteScansBefore, failStaleScans, listDueProjects } from "./store.ts";

/** More than a scan takes, with the start and end of Chromium. */
const TIMEOUT_SECONDS = SCAN_SECONDS + 120;
const DUE_MAX = 100;
const RETENTION_DAYS = 90;
const DAY_MS = 86_400_000;
/** All attempts of a job have ended by then. */
const ACTIVE_MS_MAX = 3_600_000;

/**
 * Works the queue, one scan at a time, and starts scans that are due. A node without Chromium leaves both to others.
 */
export async function startScanJobs(app: ScansApp): Promise<void> {
  if ("missing" in app.chromium) return;
  await app.jobs.workQueue<{ scanId: string }>(
    { name: SCAN_QUEUE, concurrency: 1, retriesMax: 2, timeoutSeconds: TIMEOUT_SECONDS },
    ({ scanId }) => runScan(app, scanId),
  );
  await app.jobs.scheduleJob("scans-due", "*/5 * * * *", () => startDueScans(app));
}

/** Starts the scans that projects' settings ask for: at intervals, and after publications. */
export async function startDueScans(
  app: Pick<ScansApp, "db" | "jobs" | "now" | "log" | "chromium">,
): Promise<void> {
  const now = app.now();
  for (const { id, cause } of await listDueProjects(app.db, { now, limit: DUE_MAX })) {
    try {
      await inTransaction(app.db, async (tx) => {
        const ctx = toCtx({ tx, actor: scanner, now, requestId: undefined });
        await requestScan(ctx, app, { projectId: id, cause });
      });
    } catch (error) {
      // The project was deleted, or a scan of it was started, since the list was read.
      if (!(error instanceof Fault)) throw error;
      app.log.warn({ projectId: id, err: error }, "scan not started");
    }
  }
}

/**
 * Deletes scans after 90 days, except those that are evidence of a publication. Fails those whose workers died, and those
 * that no worker takes.
 */
export async function runScanHousekeeping({
  db,
  now,
}: Pick<ScansApp, "db" | "now">): Promise<void> {
  const at = now();
  const before = (ms: number): Date => new Date(at.getTime() - ms);
  await failStaleScans(db, { now: at, active: before(ACTIVE_MS_MAX), pending: before(DAY_MS) });
  await deleteScansBefore(db, before(RETENTION_DAYS * DAY_MS));
}
