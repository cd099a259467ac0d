import { toCtx } from "../../../kernel/ctx.ts";
import { planesOf } from "../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { deleteCoded } from "../../../platform/objects/coded.ts";
import { syncProject } from "../../consents/offers/projects.ts";
import { findDocument, updateLiveVersion } from "../../vault/documents/access.ts";
import { blockObject, cdnPaths, servedObject } from "../publications/files.ts";
import { findNewestPublication } from "../publications/publications-store.ts";
import { PICTURES_QUEUE, PUBLISH_QUEUE, UNPUBLISH_QUEUE, endOpenJobs } from "./publish.ts";
import type { Publishing, PictureBudget } from "../publications/publishing.ts";
import { publisher, runJob } from "./run.ts";
import { type Environment, lockProjectFiles, updateStaleJobs } from "../publications/store.ts";
import { SETTLE_QUEUE, type SettledVersion, settlePublication } from "./settle.ts";
import { startListRefresh } from "../tcf/refreshing.ts";

const RESUMED_MAX = 1_000;
const PICTURES_BUDGET_MS = 20_000;
/** A running job without an update for this long is sent to the queue again. */
const STALE_MS = 5 * 60_000;

interface Withdrawal {
  projectId: string;
  /** Time of the request; files of later publications stay. */
  at?: string;
}

/**
 * Works the publish queues and resumes the jobs of an earlier process. pg-boss retries a dead worker's
 * job only after half a minute; resuming at start-up saves that wait. Two workers on one job are safe.
 */
export async function startPublishJobs(app: Publishing): Promise<void> {
  const queue = { concurrency: 2, retriesMax: 5, timeoutSeconds: 120 };
  await app.jobs.workQueue<{ jobId: string }>(
    { ...queue, name: PUBLISH_QUEUE },
    ({ jobId }, attempt) => runJob(app, jobId, attempt),
  );
  await app.jobs.workQueue<{ jobId: string }>(
    { ...queue, name: PICTURES_QUEUE, concurrency: 1 },
    ({ jobId }, attempt) => runJob(app, jobId, attempt, openPictureBudget()),
  );
  await app.jobs.workQueue<Withdrawal>(
    // Each may keep a database connection until storage responds.
    { ...queue, name: UNPUBLISH_QUEUE, concurrency: 1, retriesMax: 12 },
    (withdrawal) => removeFiles(app, withdrawal),
  );
  await app.jobs.workQueue<SettledVersion>(
    { ...queue, name: SETTLE_QUEUE, retriesMax: 12 },
    (version) => settlePublication(app, version),
  );
  await resumeJobs(app, app.now());
  await app.jobs.scheduleJob("publish-resume", "* * * * *", () =>
    resumeJobs(app, new Date(app.now().getTime() - STALE_MS)),
  );
  await startListRefresh(app);
}

/** Allows pictures for a limited time, and at least one; then the job goes back to the queue. */
function openPictureBudget(): PictureBudget {
  let endsAt: number | undefined;
  return {
    hasTime() {
      endsAt ??= performance.now() + PICTURES_BUDGET_MS;
      return performance.now() < endsAt;
    },
  };
}

/** Sends running jobs without an update since `before` to the queue again, and scheduled jobs that are due. */
export async function resumeJobs(
  app: Pick<Publishing, "db" | "jobs" | "now" | "log">,
  before: Date,
): Promise<void> {
  const ids = await inTransaction(app.db, async (tx) => {
    const stale = await updateStaleJobs(tx, { before, now: app.now(), max: RESUMED_MAX });
    for (const id of stale) {
      await app.jobs.sendJob(tx, { queue: PUBLISH_QUEUE, data: { jobId: id } });
    }
    return stale;
  });
  if (ids.length > 0) app.log.warn({ jobs: ids }, "publish jobs resumed");
}

/**
 * Removes the files of an unpublished or deleted project from storage and from the CDN. Files of a
 * later publication stay.
 */
export async function removeFiles(
  app: Pick<Publishing, "db" | "buckets" | "objects" | "cdn" | "config" | "now">,
  { projectId, at }: Withdrawal,
): Promise<void> {
  const toObjects = (environment: Environment) => {
    const target = { projectId, environment };
    return [servedObject(target), blockObject(target)];
  };
  // For a request that ended before it did so.
  await syncProject(await planesOf(app, projectId), projectId);
  const removed = await inTransaction(app.db, async (tx) => {
    await lockProjectFiles(tx, projectId);
    const project = await findDocument(
      tx,
      { kind: "system" },
      { resource: "projects", id: projectId },
    );
    if (!project) {
      const ctx = toCtx({ tx, actor: publisher, now: app.now(), requestId: undefined });
      await endOpenJobs(ctx, projectId, "The project was deleted.");
      await updateLiveVersion(tx, projectId, null);
    }
    const staged = await findNewestPublication(tx, { projectId, environment: "staging" });
    const isLater = project && at !== undefined && staged && staged.published_at > new Date(at);
    const obsolete = [
      ...(project && project.row.live_version !== null ? [] : toObjects("production")),
      ...(isLater ? [] : toObjects("staging")),
    ];
    for (const { key } of obsolete) await deleteCoded(app.objects, key);
    return obsolete;
  });
  if (removed.length === 0) return;
  await app.cdn.invalidatePaths({
    paths: removed.flatMap((object) => cdnPaths(app.config, object)),
    reference: `unpublish ${projectId} ${at ?? ""}`.trim(),
  });
}
