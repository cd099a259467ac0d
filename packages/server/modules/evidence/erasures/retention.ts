import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "../../../kernel/actor.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import { type AllPlanes, planesOf } from "../../../platform/db/buckets/buckets.ts";
import { writeData } from "../../../kernel/events/outbox.ts";
import type { AnswerCombinations } from "../../consents/states/answer-combinations.ts";
import {
  type DueProject,
  type Step,
  listDueProjects,
  continueWalk,
} from "../../consents/erase/retention.ts";
import { CombinationErasedError } from "../../consents/states/used-combinations.ts";
import { commitErasure, openSaltEraser } from "./erasures.ts";

/** The actor of these erasures in the audit trail. */
const retentionActor: Actor = { kind: "system", name: "retention" };
const ATTEMPTS_MAX = 5;
/** Time spent on one project before the next one. */
const SLICE_MS = 5_000;

export interface RetentionApp extends AllPlanes {
  now: () => Date;
  choices: AnswerCombinations;
  log: Pick<FastifyBaseLogger, "info">;
  /** Retention period of projects that do not configure one, in months. */
  retentionMonths: number;
}

/**
 * Erases records that have been out of force for longer than the retention period. Works in small steps and
 * alternates between projects, until nothing is due or `signal` is aborted; the next run resumes there.
 * Several nodes may run it concurrently.
 */
export async function runRetention(app: RetentionApp, signal: AbortSignal): Promise<void> {
  const query = { now: app.now(), months: app.retentionMonths };
  let erased = 0;
  for (let hasMore = true; hasMore && !signal.aborted;) {
    hasMore = false;
    for await (const due of listDueProjects(app, query)) {
      const slice = await runSlice(app, due, signal);
      erased += slice.count;
      if (!slice.isEnd) hasMore = true;
      if (signal.aborted) break;
    }
  }
  if (erased > 0) app.log.info({ erased }, "expired records erased");
}

/** Runs steps of one project for `SLICE_MS`; `isEnd` is also true if another node works on it. */
async function runSlice(app: RetentionApp, due: DueProject, signal: AbortSignal): Promise<Step> {
  const until = performance.now() + SLICE_MS;
  let count = 0;
  for (;;) {
    const step = await runStepRetrying(app, due);
    count += step?.count ?? 0;
    if (!step || step.isEnd) return { count, isEnd: true };
    if (signal.aborted || performance.now() > until) return { count, isEnd: false };
  }
}

/** Retries a step if an answer combination that it uses was deleted concurrently. */
async function runStepRetrying(app: RetentionApp, due: DueProject): Promise<Step | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runStep(app, due);
    } catch (error) {
      if (!(error instanceof CombinationErasedError) || attempt >= ATTEMPTS_MAX) throw error;
    }
  }
}

async function runStep(app: RetentionApp, due: DueProject): Promise<Step | undefined> {
  const { now, choices } = app;
  return writeData(await planesOf(app, due.projectId), async (tx) => {
    const { forget, leaves } = openSaltEraser();
    const step = await continueWalk(tx, due, { choices, forget });
    if (!step || step.count === 0) return step;
    const ctx = toCtx({ tx, actor: retentionActor, now: now(), requestId: undefined });
    const { projectId } = due;
    const { count } = step;
    await commitErasure(ctx, { projectId, reason: "retention", orderedBy: null, count, leaves });
    return step;
  });
}
