import type { Actor } from "../../../kernel/actor.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { JobAttempt } from "../../../kernel/jobs.ts";
import { bundleProject } from "./bundle.ts";
import { checkLimits, checkOrganization, checkSubscription } from "../check/checks.ts";
import {
  findBlockObject,
  cdnPaths,
  immutableObject,
  servedObject,
  widgetObject,
} from "../publications/files.ts";
import { PicturesPending } from "../publications/pictures.ts";
import { PICTURES_QUEUE, failJob } from "./publish.ts";
import type { Outcome, Publishing, PictureBudget } from "../publications/publishing.ts";
import { type StepName, beginStep, endStep, endSteps, nextStep } from "../publications/steps.ts";
import { type JobRow, findJob, updateJob } from "../publications/store.ts";
import { areFilesIntact, uploadFiles } from "./upload.ts";
import { startIfDue } from "../publications/waiting.ts";

/** Six steps, and as many again that another worker ran first. */
const ROUNDS_MAX = 12;
const NOTHING_TO_DO = "Nothing has changed.";

/** The actor of publish jobs in the audit trail. */
export const publisher: Actor = { kind: "system", name: "publish" };

type Work = (app: Publishing, job: JobRow, budget: PictureBudget) => Promise<Outcome>;

const work: Record<StepName, Work> = {
  bundle: bundleProject,
  limits: checkLimits,
  organization: checkOrganization,
  subscription: checkSubscription,
  upload: async (app, job) => ({ message: await uploadFiles(app, job) }),
  invalidate,
};

/**
 * Runs a job from its current step to its end (specification, States). An error of the project fails the
 * job, with a message that says what to do. Any other error is thrown for a retry and fails the job at the
 * last attempt. Two workers on one job are safe, since each step ends once. When pictures have to be made
 * and `budget` is used up, the job goes to the end of the queue for pictures.
 */
export async function runJob(
  app: Publishing,
  jobId: string,
  { isLast }: JobAttempt,
  budget: PictureBudget = { hasTime: () => false },
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const job = await findJob(app.db, jobId);
    if (!job || job.status === "Done" || job.status === "Error") return;
    try {
      if (job.status !== "Waiting") await runStep(app, job, budget);
      else if (!(await startIfDue(app, job))) return;
    } catch (error) {
      if (error instanceof PicturesPending) {
        await inTransaction(app.db, (tx) =>
          app.jobs.sendJob(tx, { queue: PICTURES_QUEUE, data: { jobId }, key: jobId }),
        );
        return;
      }
      const fault = error instanceof Fault && error.kind !== "busy" ? error : undefined;
      if (!fault)
        app.log.error({ err: error, jobId, step: job.step, isLast }, "publish step failed");
      if (!fault && !isLast) throw error;
      await endWithError(app, job, fault?.message ?? toInternalError(job));
      return;
    }
  }
  throw new Error(`publish job ${jobId} does not end`);
}

async function runStep(app: Publishing, job: JobRow, budget: PictureBudget): Promise<void> {
  const startedAt = app.now();
  const active: JobRow = {
    ...job,
    status: "Active",
    started_at: job.started_at ?? startedAt,
    steps: beginStep(job.steps, job.step, startedAt),
  };
  const { status, started_at, steps } = active;
  const isUpdated = await inTransaction(app.db, (tx) =>
    updateJob(tx, { id: job.id, from: job.step, now: startedAt }, { status, started_at, steps }),
  );
  if (!isUpdated) return;
  const outcome = await work[job.step](app, active, budget);
  // An unchanged version needs no upload and no invalidation, unless storage has lost files.
  const isComplete =
    job.step === "subscription" && job.unchanged && (await areFilesIntact(app, active));
  await inTransaction(app.db, (tx) => finishStep(app, tx, active, { ...outcome, isComplete }));
}

async function finishStep(
  app: Publishing,
  tx: Tx,
  job: JobRow,
  outcome: Outcome & { isComplete: boolean },
): Promise<void> {
  const now = app.now();
  const { message, isComplete } = outcome;
  const change = await outcome.change?.(tx);
  const next = isComplete ? undefined : nextStep(job.step);
  const done = { status: "Done", message, now } as const;
  const finished = await updateJob(
    tx,
    { id: job.id, from: job.step, now },
    {
      ...change,
      steps: isComplete
        ? endSteps(endStep(job.steps, job.step, done), { ...done, message: NOTHING_TO_DO })
        : endStep(job.steps, job.step, done),
      ...(next ? { step: next } : { status: "Done" as const, content: null, ended_at: now }),
    },
  );
  if (!finished || next) return;
  await recordEvent(toCtx({ tx, actor: publisher, now, requestId: undefined }), {
    name: "publish.done",
    projectId: job.project_id,
    documentId: job.id,
    data: {
      environment: job.environment,
      version: job.version,
      hash: job.hash,
      requestedBy: job.created_by,
      ...(job.asks_again ? { asksAgain: job.asks_again.count } : {}),
      ...(job.unchanged ? { unchanged: true } : {}),
    },
  });
}

async function invalidate(app: Publishing, job: JobRow): Promise<Outcome> {
  const { project_id: projectId, environment, hash, files } = job;
  // For files that were missing or damaged, the CDN may cache the wrong response for a year.
  const repaired =
    job.unchanged && hash ? [immutableObject(projectId, hash), widgetObject(app.widget.hash)] : [];
  const target = { projectId, environment };
  const block = findBlockObject(target, files);
  const objects = [servedObject(target), ...(block ? [block] : []), ...repaired];
  const { note } = await app.cdn.invalidatePaths({
    paths: objects.flatMap((object) => cdnPaths(app.config, object)),
    reference: job.id,
  });
  return { message: note };
}

async function endWithError(app: Publishing, job: JobRow, message: string): Promise<void> {
  await inTransaction(app.db, (tx) =>
    failJob(toCtx({ tx, actor: publisher, now: app.now(), requestId: undefined }), job, message),
  );
}

function toInternalError(job: JobRow): string {
  return `The step ${job.step} failed repeatedly because of a problem of the service, not of the project. The operator can find the cause in the log under the job ${job.id}. Publish again once it is fixed.`;
}
