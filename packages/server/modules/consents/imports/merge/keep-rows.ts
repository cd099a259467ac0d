import type { Tx } from "../../../../platform/db/db.ts";
import type { Choices } from "../../states/answer-combinations.ts";
import { toPastRow, toStateRow } from "../../states/state-row.ts";
import { keepChoices, lockNamedChoices } from "../../states/used-combinations.ts";
import type { Change } from "./fold.ts";
import { copyNewRows, replaceStates } from "./keep-store.ts";
import type { Prepared } from "./prepare.ts";

/** Another transaction wrote a record or state first; this one must roll back. */
export class ChangedError extends Error {
  override name = "ChangedError";
}

/**
 * Writes prepared rows.
 * @throws ChangedError, ChoiceGoneError; a unique violation for an existing record or state
 */
export async function writePrepared(
  tx: Tx,
  choices: Choices,
  { rows, queue, answered, used, others }: Prepared,
): Promise<void> {
  await lockNamedChoices(tx, choices, { of: answered, used });
  await copyNewRows(tx, { ...rows, queue: await queue });
  if (others.length > 0) await writeLedgers(tx, choices, others);
}

async function writeLedgers(
  tx: Tx,
  choices: Choices,
  changes: readonly Required<Change>[],
): Promise<void> {
  const ledgers = changes.flatMap(({ ledger }) => ledger ?? []);
  const past = ledgers.flatMap((ledger) => ledger.past);
  const states = ledgers.map(({ state }) => state);
  await keepChoices(tx, choices, { states: [...states, ...past.map(({ state }) => state)] });
  const opened = await replaceStates(tx, {
    states: states.map((state) => toStateRow(state)),
    past: past.map(toPastRow),
  });
  if (opened !== changes.filter(({ isNew }) => isNew).length)
    throw new ChangedError("somebody else wrote the same records or states");
}
