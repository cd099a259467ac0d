import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import {
  deleteCoded,
  isCodedStored,
  putCoded,
  putPrepared,
  toCoded,
} from "../../../platform/objects/coded.ts";
import { recordOffers } from "../../consents/offers/offers.ts";
import { getProject, updateLiveVersion } from "../../vault/documents/access.ts";
import { contentOf } from "../check/checks.ts";
import { parseContent } from "@avow/contract/published";
import { toFiles, toSources } from "../content/content.ts";
import { toBlockFile } from "../content/host-list.ts";
import { blockObject, immutableObject, servedObject, widgetObject } from "../publications/files.ts";
import { findNewestPublication, insertPublication } from "../publications/publications-store.ts";
import type { Publishing } from "../publications/publishing.ts";
import { type JobRow, findJob, lockJob, lockProjectFiles } from "../publications/store.ts";
import { keepWidgetFile } from "../publications/widget-files.ts";
import { SETTLE_QUEUE, settlePublication } from "./settle.ts";

export type UploadServices = Pick<
  Publishing,
  "db" | "buckets" | "jobs" | "objects" | "widget" | "config"
>;

/**
 * Step 5, idempotent. Writes the content under its hash, and the widget; then the publication
 * (`recordVersion`); finally, in one step, the file that visitors read. A job
 * that has ended since writes nothing, and an older version never replaces a newer one: both are checked
 * under the project's lock. For an unchanged version, only the files are written again.
 */
export async function uploadFiles(app: UploadServices, job: JobRow): Promise<string> {
  const target = { projectId: job.project_id, environment: job.environment };
  const { served, block, immutable, widget } = listJobObjects(app, job);
  await putCoded(app.objects, immutable);
  await keepWidgetFile(app.objects, widget);
  // Compressed before the lock, so that others wait for the lock only as long as storage takes.
  const coded = await Promise.all([served, ...(block ? [block] : [])].map(toCoded));
  if (!job.unchanged) await recordVersion(app, job);
  await inTransaction(app.db, async (tx) => {
    const running = await isStillRunning(tx, job, findJob);
    const newest = await findNewestPublication(tx, target);
    if (!running || newest?.version !== job.version) return;
    for (const one of coded) await putPrepared(app.objects, one);
    if (!block) await deleteCoded(app.objects, blockObject(target).key);
  });
  const size = `${served.bytes.length.toLocaleString("en-US")} bytes`;
  if (!job.unchanged) return `Version ${job.version}, ${size}.`;
  return `Version ${job.version}, ${size}. Files that were missing or damaged in storage were written again.`;
}

/** Whether storage has all files of a job's content unaltered, in every coding. */
export async function areFilesIntact(app: UploadServices, job: JobRow): Promise<boolean> {
  const { served, block, immutable, widget } = listJobObjects(app, job);
  const intact = [served, ...(block ? [block] : []), immutable, widget].map((one) =>
    isCodedStored(app.objects, one),
  );
  return (await Promise.all(intact)).every(Boolean);
}

function listJobObjects({ widget, config }: Pick<Publishing, "widget" | "config">, job: JobRow) {
  const { project_id: projectId, environment } = job;
  const text = contentOf(job);
  const { hash, immutable, served } = toFiles(text);
  const block = toBlockFile(widget.blocker, parseContent(text), config);
  return {
    served: { ...servedObject({ projectId, environment }), bytes: served },
    block: block && { ...blockObject({ projectId, environment }), bytes: block },
    immutable: { ...immutableObject(projectId, hash), bytes: immutable },
    widget: { ...widgetObject(widget.hash), bytes: widget.entry.identity },
  };
}

/**
 * Whether the job may still write. Takes the project's lock, as does the removal of files.
 * @throws Fault not-found when the project was deleted
 */
async function isStillRunning(tx: Tx, job: JobRow, find: typeof lockJob): Promise<boolean> {
  await lockProjectFiles(tx, job.project_id);
  await getProject(tx, { kind: "system" }, job.project_id);
  const present = await find(tx, job.id);
  return present?.status === "Active" && present.step === "upload";
}

/**
 * Publishes a version in three steps, each of which can be repeated: its offers in the data plane, which nothing refers
 * to yet; the publication and the live version in the control plane; its log entry and the live version in the data
 * plane.
 */
async function recordVersion(app: UploadServices, job: JobRow): Promise<void> {
  const { project_id: projectId, environment, version } = job;
  if (version === null) throw new Error(`publish job ${job.id} has no bundle`);
  const target = { projectId, environment };
  const newest = await inTransaction(app.db, async (tx) => {
    const isRunning = await isStillRunning(tx, job, findJob);
    return isRunning ? ((await findNewestPublication(tx, target))?.version ?? 0) : undefined;
  });
  if (newest !== undefined && newest < version && environment === "production") {
    const configurations = toSources(parseContent(contentOf(job)));
    const { data } = await app.buckets.of(projectId);
    await inTransaction(data, (tx) =>
      recordOffers(tx, { projectId, version, newest, configurations }),
    );
  }
  const settled = { ...target, version };
  await inTransaction(app.db, async (tx) => {
    // Locks the job until commit, so that unpublishing waits for it.
    if (!(await isStillRunning(tx, job, lockJob))) return;
    await recordPublication(tx, job);
    await app.jobs.sendJob(tx, { queue: SETTLE_QUEUE, data: settled });
  });
  await settlePublication(app, settled);
}

async function recordPublication(tx: Tx, job: JobRow): Promise<void> {
  const { project_id: projectId, environment, version, hash, size, overridden, approval } = job;
  if (version === null || hash === null || size === null) {
    throw new Error(`publish job ${job.id} has no bundle`);
  }
  const text = contentOf(job);
  const content = parseContent(text);
  const publishedAt = new Date(content.publishedAt);
  await insertPublication(tx, {
    project_id: projectId,
    environment,
    version,
    hash,
    size,
    content: text,
    job_id: job.id,
    published_at: publishedAt,
    published_by: job.created_by,
    overridden: overridden && JSON.stringify(overridden),
    asks_again: job.asks_again && JSON.stringify(job.asks_again),
    approval: approval && JSON.stringify(approval),
  });
  if (environment === "production")
    await updateLiveVersion(tx, projectId, { version, publishedAt });
}
