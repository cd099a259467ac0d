import type { FastifyBaseLogger } from "fastify";
import type { Actor } from "../../../kernel/actor.ts";
import { toCtx } from "../../../kernel/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { AnswerCombinations } from "../../consents/states/answer-combinations.ts";
import {
  type DueProject,
  type Step,
  listDueProjects,
  continueWalk,
} from "../../consents/erase/retention.ts";
import { CombinationErasedError } from "../../consents/states/used-combinations.ts";
import { commitErasure, openSalts } from "./erasures.ts";

/** Who erases, in the audit trail. */
const retainer: Actor = { kind: "system", name: "retention" };
const TRIES_MAX = 5;
/** After so long another project has its turn. */
const TURN_MS = 5_000;

export interface RetentionApp {
  db: Db;
  now: () => Date;
  choices: AnswerCombinations;
  log: Pick<FastifyBaseLogger, "info">;
  /** For how many months proofs are kept where their project does not say. */
  retentionMonths: number;
}

/**
 * Erases the records of all projects that have been out of force for longer than proofs are kept, in
 * small steps, each project in turn, until nothing is due or `signal` is aborted: the next run goes on
 * from there. Several nodes may run at once.
 */
export async function runRetention(app: RetentionApp, signal: AbortSignal): Promise<void> {
  const asked = { now: app.now(), months: app.retentionMonths };
  let erased = 0;
  for (let isMore = true; isMore && !signal.aborted;) {
    isMore = false;
    for await (const due of listDueProjects(app.db, asked)) {
      const turn = await takeTurn(app, due, signal);
      erased += turn.count;
      if (!turn.isEnd) isMore = true;
      if (signal.aborted) break;
    }
  }
  if (erased > 0) app.log.info({ erased }, "records were erased: proofs are kept no longer");
}

/** Takes steps of one project for a while; `isEnd` also where another node is at it. */
async function takeTurn(app: RetentionApp, due: DueProject, signal: AbortSignal): Promise<Step> {
  const until = performance.now() + TURN_MS;
  let count = 0;
  for (;;) {
    const step = await tryStep(app, due);
    count += step?.count ?? 0;
    if (!step || step.isEnd) return { count, isEnd: true };
    if (signal.aborted || performance.now() > until) return { count, isEnd: false };
  }
}

/** Takes one step; again where somebody else erased what it was about to use. */
async function tryStep(app: RetentionApp, due: DueProject): Promise<Step | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await takeStep(app, due);
    } catch (error) {
      if (!(error instanceof CombinationErasedError) || attempt >= TRIES_MAX) throw error;
    }
  }
}

async function takeStep(
  { db, now, choices }: RetentionApp,
  due: DueProject,
): Promise<Step | undefined> {
  return inTransaction(db, async (tx) => {
    const { forget, leaves } = openSalts();
    const step = await continueWalk(tx, due, { choices, forget });
    if (!step || step.count === 0) return step;
    const ctx = toCtx({ tx, actor: retainer, now: now(), requestId: undefined });
    const { projectId } = due;
    const { count } = step;
    await commitErasure(ctx, { projectId, reason: "retention", orderedBy: null, count, leaves });
    return step;
  });
}
