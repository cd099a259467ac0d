import { toCtx } from "../../../kernel/ctx.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { deleteCoded } from "../../../platform/objects/coded.ts";
import { findDocument, updateLiveVersion } from "../../vault/documents/access.ts";
import { cdnPaths, servedObject } from "../publications/files.ts";
import { findNewestPublication } from "../publications/publications-store.ts";
import { PICTURES_QUEUE, PUBLISH_QUEUE, UNPUBLISH_QUEUE, endOpenJobs } from "./publish.ts";
import type { Publishing, Turn } from "../publications/publishing.ts";
import { publisher, runJob } from "./run.ts";
import { lockProjectFiles, updateStaleJobs } from "../publications/store.ts";

const RESUMED_MAX = 1_000;
const PICTURES_MS = 20_000;
/** A running job that nobody has touched for so long is sent to the queue again. */
const STALE_MS = 5 * 60_000;

interface Withdrawal {
  projectId: string;
  /** When it was asked; files of later publications stay. */
  at?: string;
}

/**
 * Works the publish queues, and goes on with the jobs that an earlier process left. pg-boss gives a
 * dead worker's job to another within half a minute; asking again at the start saves that wait, and
 * a second worker on one job does no harm.
 */
export async function startPublishJobs(app: Publishing): Promise<void> {
  const queue = { concurrency: 2, retriesMax: 5, timeoutSeconds: 120 };
  await app.jobs.workQueue<{ jobId: string }>(
    { ...queue, name: PUBLISH_QUEUE },
    ({ jobId }, attempt) => runJob(app, jobId, attempt),
  );
  await app.jobs.workQueue<{ jobId: string }>(
    { ...queue, name: PICTURES_QUEUE, concurrency: 1 },
    ({ jobId }, attempt) => runJob(app, jobId, attempt, openPicturesTurn()),
  );
  await app.jobs.workQueue<Withdrawal>(
    // Each may hold a connection for as long as storage takes.
    { ...queue, name: UNPUBLISH_QUEUE, concurrency: 1, retriesMax: 12 },
    (withdrawal) => removeFiles(app, withdrawal),
  );
  await resumeJobs(app, app.now());
  await app.jobs.scheduleJob("publish-resume", "* * * * *", () =>
    resumeJobs(app, new Date(app.now().getTime() - STALE_MS)),
  );
}

/** Pictures are made for so long, at least one; then it is another job's turn. */
function openPicturesTurn(): Turn {
  let endsAt: number | undefined;
  return {
    mayMake() {
      endsAt ??= performance.now() + PICTURES_MS;
      return performance.now() < endsAt;
    },
  };
}

/** Sends again the jobs that run and were last touched before `before`, and those whose time has come. */
export async function resumeJobs(
  app: Pick<Publishing, "db" | "jobs" | "now" | "log">,
  before: Date,
): Promise<void> {
  const ids = await inTransaction(app.db, async (tx) => {
    const stale = await updateStaleJobs(tx, { before, now: app.now(), max: RESUMED_MAX });
    for (const id of stale) {
      await app.jobs.sendJob(tx, { queue: PUBLISH_QUEUE, data: { jobId: id }, key: id });
    }
    return stale;
  });
  if (ids.length > 0) app.log.warn({ jobs: ids }, "publish jobs are taken up again");
}

/**
 * Removes the files at the addresses of a project that is unpublished or deleted, and what its
 * content network holds of them. Files of a publication that came after stay.
 */
export async function removeFiles(
  app: Pick<Publishing, "db" | "objects" | "cdn" | "config" | "now">,
  { projectId, at }: Withdrawal,
): Promise<void> {
  const production = servedObject({ projectId, environment: "production" });
  const staging = servedObject({ projectId, environment: "staging" });
  const removed = await inTransaction(app.db, async (tx) => {
    await lockProjectFiles(tx, projectId);
    const held = await findDocument(
      tx,
      { kind: "system" },
      { resource: "projects", id: projectId },
    );
    if (!held) {
      const ctx = toCtx({ tx, actor: publisher, now: app.now(), requestId: undefined });
      await endOpenJobs(ctx, projectId, "The project was deleted.");
      await updateLiveVersion(tx, projectId, null);
    }
    const staged = await findNewestPublication(tx, { projectId, environment: "staging" });
    const isLater = held && at !== undefined && staged && staged.published_at > new Date(at);
    const gone = [
      ...(held && held.row.live_version !== null ? [] : [production]),
      ...(isLater ? [] : [staging]),
    ];
    for (const { key } of gone) await deleteCoded(app.objects, key);
    return gone;
  });
  if (removed.length === 0) return;
  await app.cdn.invalidatePaths({
    paths: removed.flatMap((object) => cdnPaths(app.config, object)),
    reference: `unpublish ${projectId} ${at ?? ""}`.trim(),
  });
}
