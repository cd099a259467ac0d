import { toCopyText } from "../../../platform/db/copy.ts";
import type { Tx } from "../../../platform/db/db.ts";
import type { Choices } from "../choices.ts";
import { toPastRow, toStateRow } from "../group-rows.ts";
import { ChoiceGoneError, keepChoices } from "../used-choices.ts";
import { foldRecords } from "../ledger.ts";
import { toAnswersJson } from "../states-json.ts";
import type { Candidate, Same } from "./candidates.ts";
import { type Change, toSaid } from "./fold.ts";
import { copyFirstStates, copyQueue, copyRecords, replaceStates } from "./keep-store.ts";

/** Somebody else wrote a record or a state meanwhile; nothing is to be committed. */
export class ChangedError extends Error {
  override name = "ChangedError";
}

interface Names {
  projectId: string;
  importId: string;
}

/**
 * Writes what changes.
 * @throws ChangedError, ChoiceGoneError
 */
export async function writeChanges(
  tx: Tx,
  { choices, onSent, ...names }: Names & { choices: Choices; onSent: () => void },
  changes: readonly Change[],
): Promise<void> {
  const made = changes.flatMap((change) => change.made);
  await setChoices(tx, choices, { projectId: names.projectId, made });
  // In the order of the keys that they are inserted under.
  made.sort((a, b) => (a.id < b.id ? -1 : 1));
  const records = copyRecords(tx, toRows(made, names, toRecordLine));
  onSent();
  await records;
  await copyQueue(tx, Buffer.from(made.map(({ id }) => `${names.projectId}\t${id}\n`).join("")));
  const firsts = changes.flatMap((change) => (isFirst(change) ? change.made : []));
  if (firsts.length > 0) await copyFirstStates(tx, toRows(firsts, names, toStateLine));
  if (firsts.length === changes.length) return;
  const others = changes.filter((change) => !isFirst(change));
  await writeLedgers(
    tx,
    choices,
    others.map((change) => withLedger(names.projectId, change)),
  );
}

function toRows(
  made: readonly Candidate[],
  names: Names,
  toLine: (one: Candidate, names: Names) => string,
): Buffer {
  let rows = "";
  for (const one of made) rows += toLine(one, names);
  return Buffer.from(rows);
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

const nothingMore = "\\N\t\\N\t\\N\t\\N";

/** A record for `copyRecords`. */
function toRecordLine({ id, entry, same }: Candidate, names: Names): string {
  const { token, at, value, language, url, clientAt } = entry;
  const { record } = (same.rows ??= toSameRows(entry, same, names));
  const hasMore = value !== null || language !== null || url !== null || clientAt !== null;
  const more = hasMore
    ? toCells([toJson(value), language, url, clientAt && clientAt.toISOString()])
    : nothingMore;
  return `${id}\t${toCopyText(token)}\t${at}\t${more}\t${record}\n`;
}

/** A record as a state, for `copyFirstStates`. */
function toStateLine({ id, entry, same }: Candidate, names: Names): string {
  const { token, at } = entry;
  const { state } = (same.rows ??= toSameRows(entry, same, names));
  return `${id}\t${toCopyText(token)}\t${at}\t${at}\t${state}\n`;
}

function toSameRows(
  { collection, identifier, accept, preferences }: Candidate["entry"],
  { version, answered, warnings }: Same,
  { projectId, importId }: Names,
): NonNullable<Same["rows"]> {
  const { choice = null } = answered;
  const shared = [projectId, collection, identifier, toNumber(choice), toNumber(version)];
  const record = [
    ...shared,
    accept ? "t" : "f",
    choice === null ? JSON.stringify(toAnswersJson(answered.answers)) : null,
    toJson(preferences),
    warnings.length > 0 ? JSON.stringify(warnings) : null,
    importId,
    "import",
  ];
  return { record: toCells(record), state: toCells([...shared, "1"]) };
}

function toCells(values: readonly (string | null)[]): string {
  return values.map(toCopyText).join("\t");
}

function toNumber(value: number | null): string | null {
  return value === null ? null : String(value);
}

function toJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
