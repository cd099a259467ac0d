import type { Tx } from "../../../platform/db/db.ts";
import type { Choices } from "../choices.ts";
import { toPastRow, toStateRow } from "../group-rows.ts";
import { type Change, toRecordRow } from "./fold.ts";
import { insertKept, replaceStates } from "./keep-store.ts";

/** Somebody else wrote a record or a state meanwhile; nothing is to be committed. */
export class ChangedError extends Error {
  override name = "ChangedError";
}

/**
 * Writes what changes.
 * @throws ChangedError
 */
export async function writeChanges(
  tx: Tx,
  keeping: { projectId: string; importId: string; choices: Choices },
  changes: readonly Change[],
): Promise<void> {
  const { projectId, importId, choices } = keeping;
  const many = changes.filter((change) => !isFirst(change));
  await choices.setChoices({
    records: changes.flatMap(({ made }) => made),
    states: many.flatMap(({ state, past }) => [state, ...past.map((one) => one.state)]),
  });
  const made = changes.flatMap((change) =>
    change.made.map((one) => ({ one, isFirst: isFirst(change) })),
  );
  await insertKept(tx, {
    projectId,
    importId,
    // In the order of the keys that they are inserted under.
    records: made
      .toSorted((a, b) => (a.one.record.id < b.one.record.id ? -1 : 1))
      .map(({ one, isFirst: first }) => toRecordRow(one, first)),
  });
  const states = many.map(({ state }) => toStateRow(state));
  const past = many.flatMap((change) => change.past.map(toPastRow));
  const opened = many.length > 0 ? await replaceStates(tx, { states, past }) : 0;
  if (opened !== many.filter(({ isNew }) => isNew).length)
    throw new ChangedError("somebody else wrote the same records or states");
}

/** Whether one record is all that there is of a token and configuration. */
function isFirst({ isNew, made }: Change): boolean {
  return isNew && made.length === 1;
}
