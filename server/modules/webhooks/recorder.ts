import type { Db } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type LongAnswer, insertAnswers } from "./answers-store.ts";
import { type Outcome, updateOutcomes } from "./deliveries-store.ts";

/** Keeps what became of deliveries. */
export interface Recorder {
  /** Resolves once it is durable; rejects where it could not be kept: then it is delivered again. */
  record: (outcome: Outcome) => Promise<void>;
}

const GROUP_MAX = 500;

interface Waiting {
  outcome: Outcome;
  done: PromiseWithResolvers<void>;
}

function toLongAnswer({ id, webhookId, attempt, longAnswer }: Outcome): LongAnswer[] {
  if (!attempt || longAnswer === undefined) return [];
  return [{ webhookId, deliveryId: id, requestId: attempt.requestId, answer: longAnswer }];
}

/** Opens a recorder that writes what came while one group was written as the next, in one transaction each. */
export function openRecorder({ db, now }: { db: Db; now: () => Date }): Recorder {
  const waiting: Waiting[] = [];
  let isWriting = false;
  const write = async (group: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = group.map(({ outcome }) => outcome);
      await inTransaction(db, async (tx) => {
        await updateOutcomes(tx, outcomes, now());
        await insertAnswers(tx, outcomes.flatMap(toLongAnswer));
      });
      for (const { done } of group) done.resolve();
    } catch (error) {
      for (const { done } of group) done.reject(error);
    }
  };
  const run = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0, GROUP_MAX));
    isWriting = false;
  };
  return {
    record(outcome) {
      const done = Promise.withResolvers<void>();
      waiting.push({ outcome, done });
      void run();
      return done.promise;
    },
  };
}
