import { isDeepStrictEqual } from "node:util";
import { listNames, lists } from "@avow/contract/published";
import { toActorName } from "../../../kernel/actor.ts";
import type { Ctx } from "../../../kernel/ctx.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { newDocumentId } from "../../../kernel/ids.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import {
  type ProjectRow,
  getProject,
  listConfigurations,
  updateLiveVersion,
} from "../../vault/documents/access.ts";
import { findPublishedContent } from "../publications/publications-store.ts";
import { assertApproved, readDraftDigest } from "../approval/approving.ts";
import type { FindApprovals } from "../publications/publishing.ts";
import type { Selection } from "../selection/selection.ts";
import { endStep, toPendingSteps } from "../publications/steps.ts";
import {
  type Environment,
  type JobRow,
  type Target,
  findJob,
  findOpenJob,
  insertJob,
  listOpenJobs,
  updateJob,
} from "../publications/store.ts";

/** The queue of publish jobs; its data is `{ jobId }`. */
export const PUBLISH_QUEUE = "publish";
/** The queue of jobs that have pictures to make first, so that no other job waits for pictures. */
export const PICTURES_QUEUE = "publish-pictures";
/** The queue that removes an unpublished project's files; its data is `{ projectId, at? }`. */
export const UNPUBLISH_QUEUE = "unpublish";

const ATTEMPTS_MAX = 3;
const WAIT_MS_MAX = 366 * 86_400_000;

type Sender = { jobs: Pick<Jobs, "sendJob">; findApprovals: FindApprovals };

export interface PublishRequest extends Target {
  /** Ignores errors of the publish check; only for owners. */
  force?: boolean | undefined;
  /** Publishes without the approvals that the project requires; only for owners, with a reason. */
  withoutApproval?: boolean | undefined;
  /** Why errors are overridden, or approvals are not waited for. */
  reason?: string | undefined;
  /** Immediately if omitted. */
  publishAt?: Date | undefined;
  /** Everything if omitted. */
  selection?: Selection | undefined;
  /** Fails the job where a configuration would be held back. */
  strict?: boolean | undefined;
}

/**
 * Creates a publish job. Returns the job that already runs for the same project and environment instead
 * of starting a second one (wire section 3).
 * @throws Fault not-found, forbidden (see `getProject`; only owners may force), invalid for a time in the
 *   past or over a year away or an unknown configuration, conflict when another job is scheduled or runs with
 *   another request, approval-needed
 */
export async function requestPublish(
  ctx: Ctx,
  app: Sender,
  request: PublishRequest,
): Promise<JobRow> {
  await assertMayPublish(ctx, request);
  await assertSelectable(ctx, request);
  return startJob(ctx, app, { ...request, rollbackOf: null });
}

/**
 * Creates a job that publishes an earlier version's content again, as a new version.
 * @throws Fault not-found (the project, or the version), forbidden, conflict while another job runs, approval-needed
 */
export async function requestRollback(
  ctx: Ctx,
  app: Sender,
  { version, ...request }: PublishRequest & { version: number },
): Promise<JobRow> {
  await assertMayPublish(ctx, request);
  const content = await findPublishedContent(ctx.tx, request, version);
  if (content === undefined) {
    throw new Fault(
      "not-found",
      `The project has no version ${version} in ${request.environment}.`,
    );
  }
  const job = await startJob(ctx, app, { ...request, rollbackOf: version });
  if (job.rollback_of !== version) {
    const detail = `The job ${job.id} is publishing this project. Roll back after it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  return job;
}

/**
 * Unpublishes a project in both environments: fails its open jobs, clears the live version and queues a
 * job that removes the project's files. That is left to a job, since a request must not wait for the
 * project's lock, which a job that is writing files has. Published content stays stored under its hash.
 * @throws Fault not-found, forbidden
 */
export async function withdrawProject(ctx: Ctx, app: Sender, projectId: string): Promise<void> {
  const project = await getProject(ctx.tx, ctx.scope, projectId);
  await endOpenJobs(
    ctx,
    projectId,
    "The project was unpublished. Publish it again to make it live.",
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
 * Cancels a scheduled publication by its own id or its project's id. With the project's id,
 * `environment` selects one where both environments have one.
 * @throws Fault not-found, forbidden, conflict when it has started or ended, or when two match
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
    const detail = "A publication is scheduled in production and another in staging.";
    throw new Fault("conflict", `${detail} Select one by ?environment, or by its own id.`);
  }
  if (!job) {
    const detail = "Only a scheduled publication can be cancelled.";
    throw new Fault("conflict", `${detail} Unpublish the project to take it offline.`);
  }
  await failJob(ctx, job, "The publication was cancelled before its scheduled time.");
}

/** Fails the project's running and scheduled jobs. */
export async function endOpenJobs(ctx: Ctx, projectId: string, message: string): Promise<void> {
  for (const job of await listOpenJobs(ctx.tx, projectId)) await failJob(ctx, job, message);
}

/** Fails a job at its current step; does nothing if the job has moved to another step or ended. */
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
    data: { environment: job.environment, step: job.step, requestedBy: job.created_by },
  });
}

interface NewJob extends PublishRequest {
  rollbackOf: number | null;
}

/** @throws Fault impossible for a template, whose sites are published instead */
export function assertPublishable({ body }: ProjectRow): void {
  if (body.isTemplate !== true) return;
  throw new Fault("impossible", "This project is a template. Publish the sites that follow it.");
}

async function assertMayPublish(
  ctx: Ctx,
  { projectId, force, withoutApproval, reason = "", publishAt }: PublishRequest,
): Promise<void> {
  const right = force || withoutApproval ? "own" : undefined;
  assertPublishable(await getProject(ctx.tx, ctx.scope, projectId, right));
  if (withoutApproval && ctx.actor.kind === "user" && ctx.actor.scopes)
    throw new Fault("forbidden", "Only a person publishes without approval, not an API key.");
  if (withoutApproval && reason.trim() === "") {
    const message = "is required to publish without approval";
    throw new Fault("invalid", `/reason: ${message}`, { faults: [{ path: "/reason", message }] });
  }
  if (publishAt === undefined) return;
  const waitMs = publishAt.getTime() - ctx.now.getTime();
  if (waitMs > 0 && waitMs <= WAIT_MS_MAX) return;
  const message = "must be in the future and within a year";
  throw new Fault("invalid", `publishAt ${message}.`, { faults: [{ path: "publishAt", message }] });
}

/** @throws Fault invalid, for each id that is no configuration of the project in its list */
async function assertSelectable(
  { tx }: Ctx,
  { projectId, selection }: PublishRequest,
): Promise<void> {
  if (!selection) return;
  const rows = await listConfigurations(tx, projectId);
  const known = new Set(rows.map(({ resource, id }) => `${resource} ${id}`));
  const faults = listNames.flatMap((list) =>
    (selection[list] ?? []).flatMap((id) =>
      known.has(`${lists[list]} ${id}`)
        ? []
        : [{ path: list, message: `${id} is not a configuration of this project` }],
    ),
  );
  if (faults.length === 0) return;
  throw new Fault("invalid", "The project has no such configuration.", { faults });
}

async function startJob(ctx: Ctx, app: Sender, request: NewJob): Promise<JobRow> {
  const row = toRow(ctx, request);
  // Neither a rollback nor a bypass depends on the draft, which may be one that cannot be built.
  const isOfDraft = row.rollback_of === null && !row.skips_approval;
  const toDigest = async () => (isOfDraft ? readDraftDigest(ctx.tx, request.projectId) : "");
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const job = await insertJob(ctx.tx, row);
    if (job) {
      // The job asserts it again, of the content that it has read.
      await assertApproved(app, ctx.tx, { ...row, toDigest });
      await enqueueJob(ctx, app, job);
      return job;
    }
    // The other job may have ended between the two statements: insert again.
    const other = await findOpenJob(ctx.tx, request, request.publishAt ? "waiting" : "running");
    if (other) return assertSameRequest(other, request);
  }
  throw new Fault("busy", "Other publish jobs of this project are starting and ending. Try again.");
}

function toRow(ctx: Ctx, request: NewJob) {
  const { projectId, environment, rollbackOf, force = false, reason = "", publishAt } = request;
  const { selection, strict = false, withoutApproval = false } = request;
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
    forced: force,
    skips_approval: withoutApproval,
    force_reason: (force || withoutApproval) && reason.trim() !== "" ? reason.trim() : null,
    publish_at: publishAt ?? null,
    selection,
    strict,
  };
}

async function enqueueJob(ctx: Ctx, app: Sender, job: JobRow): Promise<void> {
  const { rollback_of: rollbackOf, forced, force_reason: reason, publish_at: publishAt } = job;
  const { selection, strict, skips_approval: withoutApproval } = job;
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
      ...(withoutApproval ? { withoutApproval } : {}),
      ...(reason === null ? {} : { reason }),
      ...(publishAt ? { publishAt: publishAt.toISOString() } : {}),
      ...(selection ? { services: selection.services } : {}),
      ...(strict ? { strict } : {}),
    },
  });
}

/** Returns the open job if it does what the request wants. */
function assertSameRequest(
  job: JobRow,
  { publishAt, force, withoutApproval, selection, strict = false, rollbackOf }: NewJob,
): JobRow {
  if (publishAt && job.publish_at?.getTime() !== publishAt.getTime()) {
    const when = job.publish_at?.toISOString() ?? "soon";
    throw new Fault(
      "conflict",
      `The job ${job.id} is scheduled to publish this project at ${when}. Cancel it first by DELETE of its links.self.`,
    );
  }
  if (force && !job.forced) {
    const detail = `The job ${job.id} is publishing this project without force. Try again after it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  if (withoutApproval && !job.skips_approval) {
    const detail = `The job ${job.id} is publishing this project with approval. Try again after it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  const isSame = isDeepStrictEqual(job.selection, selection ?? null) && job.strict === strict;
  if (!isSame && rollbackOf === null) {
    const detail = `The job ${job.id} is publishing another part of this project. Try again after it has ended.`;
    throw new Fault("conflict", detail, { retryAfterSeconds: 1 });
  }
  return job;
}
