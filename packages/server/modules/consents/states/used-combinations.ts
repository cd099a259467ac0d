import type { DataTx } from "../../../platform/db/db.ts";
import type { AnswerCombinations, UnnumberedAnswers } from "./answer-combinations.ts";
import { type UsedChoice, WHOLE_FROM, lockUsedChoices } from "./answer-combinations-store.ts";

/** An answer combination was erased concurrently; the transaction must roll back and be retried. */
export class CombinationErasedError extends Error {
  override name = "CombinationErasedError";
}

/** The erasable combinations that rows reference, distinct and in lock order. */
export function listUsedChoices(
  named: Iterable<{ projectId: string; identifier: string; choice: number | null | undefined }>,
): UsedChoice[] {
  const used = new Map<string, UsedChoice>();
  for (const { projectId, identifier, choice } of named)
    if (typeof choice === "number" && choice < WHOLE_FROM)
      used.set(JSON.stringify([projectId, identifier, choice]), { projectId, identifier, choice });
  if (used.size < 2) return [...used.values()];
  return [...used].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/**
 * Numbers combinations as `AnswerCombinations.assignNumbers`, and locks them against erasure until the transaction
 * ends.
 * @throws CombinationErasedError if one was erased concurrently: retry in another transaction
 */
export async function assignAndLockNumbers(
  tx: DataTx,
  choices: AnswerCombinations,
  of: UnnumberedAnswers,
): Promise<void> {
  await choices.assignNumbers(of);
  const records = (of.records ?? []).map(({ record, answered }) => ({
    ...record,
    choice: answered.choice,
  }));
  const used = listUsedChoices([...records, ...of.states]);
  await lockNamedChoices(tx, choices, { of, used });
}

/**
 * Locks the numbered combinations `used`, which belong to `of`, against erasure until the transaction ends.
 * @throws CombinationErasedError if one was erased concurrently: retry in another transaction
 */
export async function lockNamedChoices(
  tx: DataTx,
  choices: AnswerCombinations,
  { of, used }: { of: UnnumberedAnswers; used: readonly UsedChoice[] },
): Promise<void> {
  if ((await lockUsedChoices(tx, used)) === used.length) return;
  choices.forget(of);
  throw new CombinationErasedError("an answer combination was erased concurrently");
}
