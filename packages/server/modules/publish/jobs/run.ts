import type { Actor } from "../../../kernel/actor.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { Fault } from "../../../platform/errors.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import type { JobAttempt } from "../../../kernel/jobs.ts";
import { bundleProject } from "./bundle.ts";
import { checkLimits, checkOrganization, checkSubscription } from "../check/checks.ts";
import { cdnPaths, immutableObject, servedObject, widgetObject } from "../publications/files.ts";
import { PicturesUnmade } from "../publications/pictures.ts";
import { PICTURES_QUEUE, failJob } from "./publish.ts";
import type { Outcome, Publishing, Turn } from "../publications/publishing.ts";
import { type StepName, beginStep, endStep, endSteps, nextStep } from "../publications/steps.ts";
import { type JobRow, findJob, updateJob } from "../publications/store.ts";
import { areFilesThere, uploadFiles } from "./upload.ts";
import { wake } from "../publications/waiting.ts";

/** Six steps, and as many again that another worker took first. */
const ROUNDS_MAX = 12;
const NOTHING_TO_DO = "Nothing has changed.";

/** Who publishes, in the audit trail. */
export const publisher: Actor = { kind: "system", name: "publish" };

type Work = (app: Publishing, job: JobRow, turn: Turn) => Promise<Outcome>;

const work: Record<StepName, Work> = {
  bundle: bundleProject,
  limits: checkLimits,
  organization: checkOrganization,
  subscription: checkSubscription,
  upload: async (app, job) => ({ message: await uploadFiles(app, job) }),
  invalidate,
};

/**
 * Takes a job from the step it is in to its end (specification, States). What is the project's fault
 * ends it with `Error` and what to do. Any other failure is thrown, to be tried again; at the last
 * try it ends the job too. Two workers on one job do no harm: each step ends once. Where pictures are to be
 * made and `turn` does not allow it (any more), the job goes to the end of the queue that is there for that.
 */
export async function runJob(
  app: Publishing,
  jobId: string,
  { isLast }: JobAttempt,
  turn: Turn = { mayMake: () => false },
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const job = await findJob(app.db, jobId);
    if (!job || job.status === "Done" || job.status === "Error") return;
    try {
      if (job.status !== "Waiting") await runStep(app, job, turn);
      else if (!(await wake(app, job))) return;
    } catch (error) {
      if (error instanceof PicturesUnmade) {
        await inTransaction(app.db, (tx) =>
          app.jobs.sendJob(tx, { queue: PICTURES_QUEUE, data: { jobId }, key: jobId }),
        );
        return;
      }
      const fault = error instanceof Fault && error.kind !== "busy" ? error : undefined;
      if (!fault)
        app.log.error({ err: error, jobId, step: job.step, isLast }, "publish step failed");
      if (!fault && !isLast) throw error;
      await endWithError(app, job, fault?.message ?? toOurFault(job));
      return;
    }
  }
  throw new Error(`publish job ${jobId} does not come to its end`);
}

async function runStep(app: Publishing, job: JobRow, turn: Turn): Promise<void> {
  const startedAt = app.now();
  const begun: JobRow = {
    ...job,
    status: "Active",
    started_at: job.started_at ?? startedAt,
    steps: beginStep(job.steps, job.step, startedAt),
  };
  const { status, started_at, steps } = begun;
  const isOurs = await inTransaction(app.db, (tx) =>
    updateJob(tx, { id: job.id, from: job.step, now: startedAt }, { status, started_at, steps }),
  );
  if (!isOurs) return;
  const outcome = await work[job.step](app, begun, turn);
  // What is live is the same: there is nothing to upload, nothing to invalidate, but what storage lost.
  const isOver = job.step === "subscription" && job.unchanged && (await areFilesThere(app, begun));
  await inTransaction(app.db, (tx) => finishStep(app, tx, begun, { ...outcome, isOver }));
}

async function finishStep(
  app: Publishing,
  tx: Tx,
  job: JobRow,
  outcome: Outcome & { isOver: boolean },
): Promise<void> {
  const now = app.now();
  const { message, isOver } = outcome;
  const change = await outcome.change?.(tx);
  const next = isOver ? undefined : nextStep(job.step);
  const done = { status: "Done", message, now } as const;
  const finished = await updateJob(
    tx,
    { id: job.id, from: job.step, now },
    {
      ...change,
      steps: isOver
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
      ...(job.unchanged ? { unchanged: true } : {}),
    },
  });
}

async function invalidate(app: Publishing, job: JobRow): Promise<Outcome> {
  const { project_id: projectId, environment, hash } = job;
  // What is written again was another file, or none, which the content network may hold for a year.
  const mended =
    job.unchanged && hash ? [immutableObject(projectId, hash), widgetObject(app.widget.hash)] : [];
  const objects = [servedObject({ projectId, environment }), ...mended];
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

function toOurFault(job: JobRow): string {
  return `The step ${job.step} failed again and again, and not through the project: this is for the operator of the service to mend, whose log names the job ${job.id}. Then publish again.`;
}
