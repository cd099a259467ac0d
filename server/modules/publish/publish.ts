import { toActorName } from "../../platform/actor.ts";
import type { Ctx } from "../../platform/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import { recordEvent } from "../../platform/events.ts";
import { newDocumentId } from "../../platform/ids.ts";
import type { Jobs } from "../../platform/jobs.ts";
import { getProject, updateLiveVersion } from "../vault/access.ts";
import { findPublishedContent } from "./publications-store.ts";
import { endStep, toPendingSteps } from "./steps.ts";
import {
  type JobRow,
  type Place,
  findRunningJob,
  insertJob,
  listRunningJobs,
  lockProjectFiles,
  updateJob,
} from "./store.ts";

/** The queue of publish jobs; its data is `{ jobId }`. */
export const PUBLISH_QUEUE = "publish";
/** The queue that takes a project's files off the air; its data is `{ projectId, at? }`. */
export const UNPUBLISH_QUEUE = "unpublish";

const ATTEMPTS_MAX = 3;

type Sender = { jobs: Pick<Jobs, "sendJob"> };

/**
 * Asks for a project to be published. A job that is running for that place already is answered again
 * rather than started twice (wire section 3).
 * @throws Fault not-found, forbidden (see `getProject`)
 */
export async function requestPublish(ctx: Ctx, app: Sender, place: Place): Promise<JobRow> {
  await getProject(ctx.tx, ctx.scope, place.projectId, "publish");
  return startJob(ctx, app, { place, rollbackOf: null });
}

/**
 * Asks for an earlier version's content to be published again, as a new version.
 * @throws Fault not-found (the project, or the version), forbidden, conflict while another job runs
 */
export async function requestRollback(
  ctx: Ctx,
  app: Sender,
  { version, ...place }: Place & { version: number },
): Promise<JobRow> {
  await getProject(ctx.tx, ctx.scope, place.projectId, "publish");
  const content = await findPublishedContent(ctx.tx, place, version);
  if (content === undefined) {
    throw new Fault("not-found", `The project has no version ${version} in ${place.environment}.`);
  }
  const job = await startJob(ctx, app, { place, rollbackOf: version });
  if (job.rollback_of !== version) {
    const detail = `The job ${job.id} is publishing this project. Roll back when it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  return job;
}

/**
 * Takes a project off the air in both environments: what runs ends, the live version is none, and a
 * job removes the files at the project's addresses. What was published stays kept under its hash.
 * @throws Fault not-found, forbidden
 */
export async function withdrawProject(ctx: Ctx, app: Sender, projectId: string): Promise<void> {
  const project = await getProject(ctx.tx, ctx.scope, projectId, "publish");
  await lockProjectFiles(ctx.tx, projectId);
  await endRunningJobs(
    ctx,
    projectId,
    "The project was unpublished. Publish again when it should be live.",
  );
  await updateLiveVersion(ctx.tx, projectId, null);
  await app.jobs.sendJob(ctx.tx, {
    queue: UNPUBLISH_QUEUE,
    data: { projectId, at: ctx.now.toISOString() },
  });
  await recordEvent(ctx, {
    name: "publish.withdrawn",
    projectId,
    data: { version: project.live_version },
  });
}

/** Ends the project's running jobs with an error. */
export async function endRunningJobs(ctx: Ctx, projectId: string, message: string): Promise<void> {
  for (const job of await listRunningJobs(ctx.tx, projectId)) await failJob(ctx, job, message);
}

/** Ends a job with an error at the step it is in; does nothing when it has moved on or ended. */
export async function failJob(ctx: Ctx, job: JobRow, message: string): Promise<void> {
  const { tx, now } = ctx;
  const failed = await updateJob(
    tx,
    { id: job.id, from: job.step, now },
    {
      status: "Error",
      message,
      content: null,
      started_at: job.started_at ?? now,
      ended_at: now,
      steps: endStep(job.steps, job.step, { status: "Error", message, now }),
    },
  );
  if (!failed) return;
  await recordEvent(ctx, {
    name: "publish.failed",
    projectId: job.project_id,
    documentId: job.id,
    data: { environment: job.environment, step: job.step },
  });
}

interface NewJob {
  place: Place;
  rollbackOf: number | null;
}

async function startJob(ctx: Ctx, app: Sender, { place, rollbackOf }: NewJob): Promise<JobRow> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const job = await insertJob(ctx.tx, {
      id: newDocumentId(ctx.now),
      project_id: place.projectId,
      environment: place.environment,
      rollback_of: rollbackOf,
      status: "Pending",
      step: "bundle",
      steps: toPendingSteps(),
      created_at: ctx.now,
      created_by: toActorName(ctx.actor),
      updated_at: ctx.now,
    });
    if (job) {
      await app.jobs.sendJob(ctx.tx, {
        queue: PUBLISH_QUEUE,
        data: { jobId: job.id },
        key: job.id,
      });
      await recordEvent(ctx, {
        name: "publish.requested",
        projectId: place.projectId,
        documentId: job.id,
        data: { environment: place.environment, ...(rollbackOf ? { rollbackOf } : {}) },
      });
      return job;
    }
    // One that ended between the two statements leaves the place free: then again.
    const other = await findRunningJob(ctx.tx, place);
    if (other) return other;
  }
  throw new Fault("busy", "Other publish jobs of this project start and end just now.");
}
