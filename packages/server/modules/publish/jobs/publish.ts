import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { getProject, updateLiveVersion } from "../../vault/documents/access.ts";
import { findPublishedContent } from "../publications/publications-store.ts";
import { endStep, toPendingSteps } from "../publications/steps.ts";
import {
  type Environment,
  type JobRow,
  type Place,
  findJob,
  findOpenJob,
  insertJob,
  listOpenJobs,
  updateJob,
} from "../publications/store.ts";

/** The queue of publish jobs; its data is `{ jobId }`. */
export const PUBLISH_QUEUE = "publish";
/** The queue of those whose pictures are to be made first, so that no other job waits for pictures. */
export const PICTURES_QUEUE = "publish-pictures";
/** The queue that takes a project's files off the air; its data is `{ projectId, at? }`. */
export const UNPUBLISH_QUEUE = "unpublish";

const ATTEMPTS_MAX = 3;
const WAIT_MS_MAX = 366 * 86_400_000;

type Sender = { jobs: Pick<Jobs, "sendJob"> };

/** How a publication is asked for. */
export interface Asked extends Place {
  /** In spite of errors of the publish check: for owners. */
  force?: boolean | undefined;
  /** Why errors are overridden. */
  reason?: string | undefined;
  /** When; at once where it is left out. */
  publishAt?: Date | undefined;
}

/**
 * Asks for a project to be published. A job that is running for that place already is answered again
 * rather than started twice (wire section 3).
 * @throws Fault not-found, forbidden (see `getProject`; only owners may force), invalid for a time that
 *   is past or over a year away, conflict when another one waits for its time or runs without force
 */
export async function requestPublish(ctx: Ctx, app: Sender, asked: Asked): Promise<JobRow> {
  await assertMayAsk(ctx, asked);
  return startJob(ctx, app, { ...asked, rollbackOf: null });
}

/**
 * Asks for an earlier version's content to be published again, as a new version.
 * @throws Fault not-found (the project, or the version), forbidden, conflict while another job runs
 */
export async function requestRollback(
  ctx: Ctx,
  app: Sender,
  { version, ...asked }: Asked & { version: number },
): Promise<JobRow> {
  await assertMayAsk(ctx, asked);
  const content = await findPublishedContent(ctx.tx, asked, version);
  if (content === undefined) {
    throw new Fault("not-found", `The project has no version ${version} in ${asked.environment}.`);
  }
  const job = await startJob(ctx, app, { ...asked, rollbackOf: version });
  if (job.rollback_of !== version) {
    const detail = `The job ${job.id} is publishing this project. Roll back when it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  return job;
}

/**
 * Takes a project off the air in both environments: what runs ends, the live version is none, and a
 * job removes the files at the project's addresses: after whoever writes them just now, since that one has
 * the project's lock and this does not wait for it. What was published stays kept under its hash.
 * @throws Fault not-found, forbidden
 */
export async function withdrawProject(ctx: Ctx, app: Sender, projectId: string): Promise<void> {
  const project = await getProject(ctx.tx, ctx.scope, projectId);
  await endOpenJobs(
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

/**
 * Calls off a publication that waits for its time, by its own id or its project's; by the project's in the
 * environment that is named, where one waits in each.
 * @throws Fault not-found, forbidden, conflict when it has begun or ended, or when two wait
 */
export async function cancelJob(
  ctx: Ctx,
  { id, environment }: { id: string; environment: Environment | undefined },
): Promise<void> {
  const found = await findJob(ctx.tx, id);
  const projectId = found?.project_id ?? id;
  await getProject(ctx.tx, ctx.scope, projectId).catch((error: unknown) => {
    if (!(error instanceof Fault) || error.kind !== "not-found") throw error;
    throw new Fault("not-found", `There is no publish job ${id} that you may see.`);
  });
  const waiting = (await listOpenJobs(ctx.tx, projectId)).filter((one) => one.status === "Waiting");
  const [job, other] = waiting.filter(
    (one) =>
      one.id === (found?.id ?? one.id) && one.environment === (environment ?? one.environment),
  );
  if (other) {
    const detail = "One publication waits to production and one to staging.";
    throw new Fault("conflict", `${detail} Name one by ?environment, or by its own id.`);
  }
  if (!job) {
    const detail = "Only a publication that waits for its time can be called off.";
    throw new Fault("conflict", `${detail} To take the project off the air, unpublish it.`);
  }
  await failJob(ctx, job, "It was called off before its time.");
}

/** Ends the project's jobs that run or wait, with an error. */
export async function endOpenJobs(ctx: Ctx, projectId: string, message: string): Promise<void> {
  for (const job of await listOpenJobs(ctx.tx, projectId)) await failJob(ctx, job, message);
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

interface NewJob extends Asked {
  rollbackOf: number | null;
}

async function assertMayAsk(ctx: Ctx, { projectId, force, publishAt }: Asked): Promise<void> {
  await getProject(ctx.tx, ctx.scope, projectId, force ? "own" : undefined);
  if (publishAt === undefined) return;
  const waitMs = publishAt.getTime() - ctx.now.getTime();
  if (waitMs > 0 && waitMs <= WAIT_MS_MAX) return;
  const message = "must be in the future, and within a year";
  throw new Fault("invalid", `publishAt ${message}.`, { faults: [{ path: "publishAt", message }] });
}

async function startJob(ctx: Ctx, app: Sender, asked: NewJob): Promise<JobRow> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const job = await insertJob(ctx.tx, toRow(ctx, asked));
    if (job) {
      await announceJob(ctx, app, job);
      return job;
    }
    // One that ended between the two statements leaves the place free: then again.
    const other = await findOpenJob(ctx.tx, asked, asked.publishAt ? "waiting" : "running");
    if (other) return assertSame(other, asked);
  }
  throw new Fault("busy", "Other publish jobs of this project start and end just now.");
}

function toRow(ctx: Ctx, asked: NewJob) {
  const { projectId, environment, rollbackOf, force, reason = "", publishAt } = asked;
  return {
    id: newDocumentId(ctx.now),
    project_id: projectId,
    environment,
    rollback_of: rollbackOf,
    status: publishAt ? ("Waiting" as const) : ("Pending" as const),
    step: "bundle" as const,
    steps: toPendingSteps(),
    created_at: ctx.now,
    created_by: toActorName(ctx.actor),
    updated_at: ctx.now,
    forced: force ?? false,
    force_reason: force && reason.trim() !== "" ? reason.trim() : null,
    publish_at: publishAt ?? null,
  };
}

async function announceJob(ctx: Ctx, app: Sender, job: JobRow): Promise<void> {
  const { rollback_of: rollbackOf, forced, force_reason: reason, publish_at: publishAt } = job;
  await app.jobs.sendJob(ctx.tx, {
    queue: PUBLISH_QUEUE,
    data: { jobId: job.id },
    key: job.id,
    ...(publishAt ? { startAfter: publishAt } : {}),
  });
  await recordEvent(ctx, {
    name: "publish.requested",
    projectId: job.project_id,
    documentId: job.id,
    data: {
      environment: job.environment,
      ...(rollbackOf ? { rollbackOf } : {}),
      ...(forced ? { forced } : {}),
      ...(reason === null ? {} : { reason }),
      ...(publishAt ? { publishAt: publishAt.toISOString() } : {}),
    },
  });
}

/** The job that is there, where it does what is asked. */
function assertSame(job: JobRow, { publishAt, force }: NewJob): JobRow {
  if (publishAt && job.publish_at?.getTime() !== publishAt.getTime()) {
    const when = job.publish_at?.toISOString() ?? "soon";
    throw new Fault(
      "conflict",
      `The job ${job.id} is to publish this project at ${when}. Call it off first, by DELETE of its links.self.`,
    );
  }
  if (force && !job.forced) {
    const detail = `The job ${job.id} is publishing this project without force. Ask again when it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  return job;
}
