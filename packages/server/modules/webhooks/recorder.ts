import type { Db } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { openGroups } from "../../platform/queues/groups.ts";
import { type LongAnswer, insertAnswers } from "./answers-store.ts";
import { type Outcome, updateOutcomes } from "./deliveries-store.ts";
import { type Release, releaseLanes } from "./lanes-store.ts";

/** Keeps what became of deliveries and of lanes, many in one transaction. */
export interface Recorder {
  /** Resolves once it is kept; rejects where it could not be: then it is delivered again. */
  record: (outcome: Outcome) => Promise<void>;
  /** Gives a lane back. Where that fails, its lease ends. */
  release: (release: Release) => Promise<void>;
}

function toLongAnswer({ id, webhookId, attempt, longAnswer }: Outcome): LongAnswer[] {
  if (!attempt || longAnswer === undefined) return [];
  return [{ webhookId, deliveryId: id, requestId: attempt.requestId, answer: longAnswer }];
}

/** Opens a recorder. */
export function openRecorder({ db, now }: { db: Db; now: () => Date }): Recorder {
  return {
    record: openGroups((outcomes) =>
      inTransaction(db, async (tx) => {
        await updateOutcomes(tx, outcomes, now());
        await insertAnswers(tx, outcomes.flatMap(toLongAnswer));
      }),
    ),
    release: openGroups((releases) => inTransaction(db, (tx) => releaseLanes(tx, releases))),
  };
}
