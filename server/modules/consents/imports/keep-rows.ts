import type { Tx } from "../../../platform/db/db.ts";
import type { Choices } from "../choices.ts";
import type { Commit } from "../commit.ts";
import { toPastRow, toStateRow } from "../group-rows.ts";
import { ChoiceGoneError, keepChoices } from "../used-choices.ts";
import { foldRecords } from "../ledger.ts";
import type { Candidate } from "./candidates.ts";
import { type Change, toSaid } from "./fold.ts";
import { copyFirstStates, copyQueue, copyRecords, replaceStates } from "./keep-store.ts";
import {
  type Names,
  toCommitted,
  toQueueRows,
  toRecordRows,
  toRecorded,
  toStateRows,
} from "./rows.ts";

/** Somebody else wrote a record or a state meanwhile; nothing is to be committed. */
export class ChangedError extends Error {
  override name = "ChangedError";
}

interface Writing {
  choices: Choices;
  commit: Commit;
  onSent: () => void;
}

/**
 * Writes what changes.
 * @throws ChangedError, ChoiceGoneError
 */
export async function writeChanges(
  tx: Tx,
  { choices, commit, onSent, ...names }: Names & Writing,
  changes: readonly Change[],
): Promise<void> {
  const made = changes.flatMap((change) => change.made);
  await setChoices(tx, choices, { projectId: names.projectId, made });
  // In the order of the keys that they are inserted under.
  made.sort((a, b) => (a.id < b.id ? -1 : 1));
  const records = copyRecords(tx, toRecordRows(made, names));
  onSent();
  // While PostgreSQL writes them.
  const [commitments] = await Promise.all([
    commit(toCommitted(made), ({ candidate }) => toRecorded(candidate, names)),
    records,
  ]);
  await copyQueue(tx, toQueueRows(made, names.projectId, commitments));
  const firsts = changes.flatMap((change) => (isFirst(change) ? change.made : []));
  if (firsts.length > 0) await copyFirstStates(tx, toStateRows(firsts, names));
  if (firsts.length === changes.length) return;
  const others = changes.filter((change) => !isFirst(change));
  await writeLedgers(
    tx,
    choices,
    others.map((change) => withLedger(names.projectId, change)),
  );
}

/** Whether its one record, which a choice speaks for, is the whole state. */
function isFirst({ ledger, made: [first] }: Change): boolean {
  return !ledger && first?.same.answered.choice !== null;
}

function withLedger(projectId: string, change: Change): Required<Change> {
  const { made } = change;
  const ledger =
    change.ledger ??
    foldRecords(
      undefined,
      made.map((one) => toSaid(projectId, one)),
    );
  return { ...change, ledger };
}

async function setChoices(
  tx: Tx,
  choices: Choices,
  { projectId, made }: { projectId: string; made: readonly Candidate[] },
): Promise<void> {
  const byAnswered = new Map(made.map((one) => [one.same.answered, one]));
  const records = [...byAnswered].map(([answered, { entry }]) => ({
    record: { projectId, identifier: entry.identifier },
    answered,
  }));
  try {
    await keepChoices(tx, choices, { records, states: [] });
  } catch (error) {
    // The rows name the choice that is gone.
    if (error instanceof ChoiceGoneError) for (const { same } of made) delete same.rows;
    throw error;
  }
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
