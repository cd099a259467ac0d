import type { Tx } from "../../../platform/db/db.ts";
import type { AnswerCombinations, UnnumberedAnswers } from "./answer-combinations.ts";
import { type UsedChoice, WHOLE_FROM, lockUsedChoices } from "./answer-combinations-store.ts";

/** A choice was erased while somebody was about to use it; nothing is to be committed. */
export class CombinationErasedError extends Error {
  override name = "CombinationErasedError";
}

/** The choices that rows name, each once and in one order: of those that may be erased. */
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
 * Sets choices as `AnswerCombinations.assignNumbers`, and keeps them from being erased until the transaction ends.
 * @throws CombinationErasedError where one was erased meanwhile: again, in another transaction
 */
export async function assignAndLockNumbers(
  tx: Tx,
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
 * Keeps the choices that were set of these, and that rows name already, from being erased until the
 * transaction ends.
 * @throws CombinationErasedError where one was erased meanwhile: again, in another transaction
 */
export async function lockNamedChoices(
  tx: Tx,
  choices: AnswerCombinations,
  { of, used }: { of: UnnumberedAnswers; used: readonly UsedChoice[] },
): Promise<void> {
  if ((await lockUsedChoices(tx, used)) === used.length) return;
  choices.forget(of);
  throw new CombinationErasedError("a combination of answers was erased meanwhile");
}
