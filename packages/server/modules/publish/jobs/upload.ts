import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { isCodedStored, putCoded, putPrepared, toCoded } from "../../../platform/objects/coded.ts";
import { recordOffers } from "../../consents/offers/offers.ts";
import { commitPublication } from "../../evidence/log/sequence/publications.ts";
import { getProject, updateLiveVersion } from "../../vault/documents/access.ts";
import { contentOf } from "../check/checks.ts";
import { parseContent } from "@avow/contract/published";
import { toFiles, toSources } from "../content/content.ts";
import { immutableObject, servedObject, widgetObject } from "../publications/files.ts";
import { findNewestPublication, insertPublication } from "../publications/publications-store.ts";
import type { Publishing } from "../publications/publishing.ts";
import { type JobRow, findJob, lockJob, lockProjectFiles } from "../publications/store.ts";
import { keepWidgetFile } from "../publications/widget-files.ts";

/** What uploading needs. */
export type Uploading = Pick<Publishing, "db" | "objects" | "widget">;

/**
 * Step 5, safe to repeat at any point: the content under its hash, and the widget; then, in one transaction,
 * the publication, what it offers, and which version is live; then, last and in one step, the file that
 * visitors read. A job that was ended meanwhile writes nothing any more, and an older version never
 * replaces a newer one: both are looked at under the project's lock. Of what has not changed the files are
 * written anew, and nothing else.
 */
export async function uploadFiles(app: Uploading, job: JobRow): Promise<string> {
  const place = { projectId: job.project_id, environment: job.environment };
  const { served, immutable, widget } = listJobObjects(app, job);
  await putCoded(app.objects, immutable);
  await keepWidgetFile(app.objects, widget);
  // Before the lock: whoever waits for it waits for storage only.
  const coded = await toCoded(served);
  await inTransaction(app.db, async (tx) => {
    const isNew = !job.unchanged;
    // The job stays as it is until this is committed: whoever unpublishes waits for it.
    if ((await isStillRunning(tx, job, lockJob)) && isNew) await recordPublication(tx, job);
  });
  await inTransaction(app.db, async (tx) => {
    const running = await isStillRunning(tx, job, findJob);
    const newest = await findNewestPublication(tx, place);
    if (running && newest?.version === job.version) await putPrepared(app.objects, coded);
  });
  const size = `${served.bytes.length.toLocaleString("en-US")} bytes`;
  if (!job.unchanged) return `Version ${job.version}, ${size}.`;
  return `Version ${job.version}, ${size}: files that storage had lost, or had others of, are written again.`;
}

/** Whether the files of a job's content are in storage as they should be, in every coding. */
export async function areFilesThere(app: Uploading, job: JobRow): Promise<boolean> {
  const { served, immutable, widget } = listJobObjects(app, job);
  const there = [served, immutable, widget].map((one) => isCodedStored(app.objects, one));
  return (await Promise.all(there)).every(Boolean);
}

function listJobObjects({ widget }: Pick<Publishing, "widget">, job: JobRow) {
  const { project_id: projectId, environment } = job;
  const { hash, immutable, served } = toFiles(contentOf(job));
  return {
    served: { ...servedObject({ projectId, environment }), bytes: served },
    immutable: { ...immutableObject(projectId, hash), bytes: immutable },
    widget: { ...widgetObject(widget.hash), bytes: widget.entry.identity },
  };
}

/**
 * Whether the job may still write, asked under the project's lock, which whoever removes files takes too.
 * @throws Fault not-found when the project was deleted
 */
async function isStillRunning(tx: Tx, job: JobRow, find: typeof lockJob): Promise<boolean> {
  await lockProjectFiles(tx, job.project_id);
  await getProject(tx, { kind: "system" }, job.project_id);
  const present = await find(tx, job.id);
  return present?.status === "Active" && present.step === "upload";
}

async function recordPublication(tx: Tx, job: JobRow): Promise<void> {
  const { project_id: projectId, environment, version, hash, size, overridden } = job;
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
  });
  await commitPublication(tx, {
    projectId,
    environment,
    version,
    hash,
    // Of the bytes that are hashed; `size` is of the served file, which has their hash too.
    sizeBytes: Buffer.byteLength(text),
    publishedAt,
  });
  if (environment !== "production") return;
  await recordOffers(tx, { projectId, version, configurations: toSources(content) });
  await updateLiveVersion(tx, projectId, { version, publishedAt });
}
