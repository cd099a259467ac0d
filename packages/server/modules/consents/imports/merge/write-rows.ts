import type { DataTx } from "../../../../platform/db/db.ts";
import type { AnswerCombinations } from "../../states/answer-combinations.ts";
import { toPastRow, toStateRow } from "../../states/state-row.ts";
import { assignAndLockNumbers, lockNamedChoices } from "../../states/used-combinations.ts";
import type { Change } from "./fold.ts";
import { copyNewRows, replaceStates } from "./merge-store.ts";
import type { Prepared } from "./prepare.ts";

/** Another transaction wrote a record or state first; this one must roll back. */
export class ChangedError extends Error {
  override name = "ChangedError";
}

/**
 * Writes prepared rows.
 * @throws ChangedError, CombinationErasedError; a unique violation for an existing record or state
 */
export async function writePrepared(
  tx: DataTx,
  choices: AnswerCombinations,
  { rows, queue, answered, used, others }: Prepared,
): Promise<void> {
  await lockNamedChoices(tx, choices, { of: answered, used });
  await copyNewRows(tx, { ...rows, queue: await queue });
  if (others.length > 0) await writeHistories(tx, choices, others);
}

async function writeHistories(
  tx: DataTx,
  choices: AnswerCombinations,
  changes: readonly Required<Change>[],
): Promise<void> {
  const histories = changes.flatMap(({ history }) => history ?? []);
  const past = histories.flatMap((history) => history.past);
  const states = histories.map(({ state }) => state);
  await assignAndLockNumbers(tx, choices, {
    states: [...states, ...past.map(({ state }) => state)],
  });
  const opened = await replaceStates(tx, {
    states: states.map((state) => toStateRow(state)),
    past: past.map(toPastRow),
  });
  if (opened !== changes.filter(({ isNew }) => isNew).length)
    throw new ChangedError("another transaction wrote the same records or states");
}
