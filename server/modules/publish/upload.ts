import type { Tx } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { putCoded } from "../../platform/objects/coded.ts";
import { recordOffers } from "../consents/offers.ts";
import { commitPublication } from "../evidence/publications.ts";
import { getProject, updateLiveVersion } from "../vault/access.ts";
import { contentOf } from "./checks.ts";
import { type Content, toFiles, toSources } from "./content.ts";
import { immutableObject, servedObject } from "./files.ts";
import { findNewestPublication, insertPublication } from "./publications-store.ts";
import type { Publishing } from "./publishing.ts";
import { type JobRow, findJob, lockProjectFiles } from "./store.ts";

/**
 * Step 5, safe to repeat at any point: the content under its hash; then, in one transaction, the
 * publication, what it offers, and which version is live; then, last and in one step, the file that
 * visitors read. A job that was ended meanwhile writes nothing any more, and an older version never
 * replaces a newer one: both are looked at under the project's lock.
 */
export async function uploadFiles(
  app: Pick<Publishing, "db" | "objects">,
  job: JobRow,
): Promise<string> {
  const place = { projectId: job.project_id, environment: job.environment };
  const files = toFiles(contentOf(job));
  const immutable = immutableObject(place.projectId, files.hash);
  await putCoded(app.objects, { ...immutable, bytes: files.immutable });
  await inTransaction(app.db, async (tx) => {
    if (await isStillRunning(tx, job)) await recordPublication(tx, job);
  });
  await inTransaction(app.db, async (tx) => {
    const running = await isStillRunning(tx, job);
    const newest = await findNewestPublication(tx, place);
    if (running && newest?.version === job.version)
      await putCoded(app.objects, { ...servedObject(place), bytes: files.served });
  });
  return `Version ${job.version}, ${files.served.length.toLocaleString("en-US")} bytes.`;
}

/**
 * Whether the job may still write, asked under the project's lock, which whoever unpublishes takes too.
 * @throws Fault not-found when the project was deleted
 */
async function isStillRunning(tx: Tx, job: JobRow): Promise<boolean> {
  await lockProjectFiles(tx, job.project_id);
  await getProject(tx, { kind: "system" }, job.project_id, "read");
  const present = await findJob(tx, job.id);
  return present?.status === "Active" && present.step === "upload";
}

async function recordPublication(tx: Tx, job: JobRow): Promise<void> {
  const { project_id: projectId, environment, version, hash, size, overridden } = job;
  if (version === null || hash === null || size === null) {
    throw new Error(`publish job ${job.id} has no bundle`);
  }
  const text = contentOf(job);
  const content = JSON.parse(text) as Content;
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
