import type { Tx } from "../../../platform/db/db.ts";
import type { Choices, Wanted } from "../choices.ts";
import { toStateRow, toWanted } from "../group-rows.ts";
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
  const missing = listWanted(changes).filter((one) => choices.peekNumber(one) === undefined);
  if (missing.length > 0) await choices.loadNumbers(missing);
  const numberOf = (wanted: Wanted) => choices.peekNumber(wanted) ?? null;

  const many = changes.filter((change) => !isFirst(change));
  const made = changes.flatMap((change) =>
    change.made.map((one) => ({ one, isFirst: isFirst(change) })),
  );
  await insertKept(tx, {
    projectId,
    importId,
    // In the order of the keys that they are inserted under.
    records: made
      .toSorted((a, b) => (a.one.record.id < b.one.record.id ? -1 : 1))
      .map(({ one, isFirst: first }) => toRecordRow(one, { isFirst: first, numberOf })),
  });
  const states = many.map(({ state }) => toStateRow(state, undefined, numberOf));
  const past = many.flatMap((change) =>
    change.past.map(({ state, untilId }) => ({
      ...toStateRow(state, undefined, numberOf),
      untilId,
    })),
  );
  const opened = many.length > 0 ? await replaceStates(tx, { projectId, states, past }) : 0;
  if (opened !== many.filter(({ isNew }) => isNew).length)
    throw new ChangedError("somebody else wrote the same records or states");
}

/** Whether one record is all that there is of a token and configuration. */
function isFirst({ isNew, made }: Change): boolean {
  return isNew && made.length === 1;
}

/** The combinations of answers that the rows are kept under. */
function listWanted(changes: readonly Change[]): Wanted[] {
  return changes.flatMap((change) => {
    const records = change.made.map(({ record: { projectId, identifier }, answered }) => ({
      projectId,
      identifier,
      ...answered,
    }));
    if (isFirst(change)) return records;
    const states = [change.state, ...change.past.map(({ state }) => state)];
    const unnumbered = states.filter(({ choice }) => choice === undefined);
    return [...records, ...unnumbered.map(toWanted)];
  });
}
