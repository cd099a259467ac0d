import type { DataTx } from "../../../../platform/db/db.ts";
import { timeOfId } from "../../../../kernel/ids.ts";
import type { AnswerCombinations } from "../../states/answer-combinations.ts";
import type { Commit } from "../../ports.ts";
import { foldRecords, toStoredRecordAnswers, toHistoryName } from "../../states/fold.ts";
import type { State } from "../../states/states.ts";
import type { Candidate } from "./candidates.ts";
import { deriveId, toContent } from "../formats/entry.ts";
import { type Change, toChange, toRecordAnswers } from "./fold.ts";
import { writePrepared } from "./write-rows.ts";
import {
  type ExistingRecord,
  type ExistingTexts,
  type StateName,
  listExistingRecords,
  listKeptById,
  listStoredStates,
} from "./merge-store.ts";
import { prepareChanges } from "./prepare.ts";

/** Maximum records of a token and configuration that an import merges with. */
export const RECORDS_MAX = 10_000;
/** Maximum records to merge with, read at a time and in one transaction. */
const READ_MAX = 20_000;
const MERGED_MAX = 100_000;

export interface MergeContext {
  projectId: string;
  importId: string;
  choices: AnswerCombinations;
  commit: Commit;
  dryRun: boolean;
  /**
   * The rows to look up first: existing states, or all ids, too, after repeated attempts
   * failed on unexpected rows.
   */
  lookUp: "states" | "ids";
}

export interface MergeResult {
  /** Number of processed candidates, from the first. */
  taken: number;
  imported: number;
  known: number;
  tooMany: Candidate[];
  /** Whether any states existed before. */
  hasStates: boolean;
}

/** A token and configuration with the file's entries. */
interface Key extends StateName {
  stored: State | undefined;
  candidates: Candidate[];
}

/**
 * Writes the candidates that the project does not have yet. The states become as if every record had
 * been collected at its date. Takes as many as one transaction may merge.
 * @throws ChangedError when another transaction wrote one of them: retry, in the end with `lookUp: "ids"`
 */
export async function mergeCandidates(
  tx: DataTx,
  context: MergeContext,
  candidates: readonly Candidate[],
): Promise<MergeResult> {
  const settled = context.lookUp === "ids" ? await settleIds(tx, context, candidates) : nothing;
  const { keys, taken } = await readKeys(tx, context, candidates);
  const changes: Change[] = [];
  const older: Key[] = [];
  let hasStates = false;
  for (const key of keys) {
    if (key.stored) hasStates = true;
    const fresh = dropSame(key.candidates, settled, []);
    if (!fresh.every((one) => isNewer(one, key.stored)))
      older.push({ ...key, candidates: [...fresh] });
    else if (fresh.length > 0) changes.push(toChange(context.projectId, key.stored, fresh));
  }
  const { merged, tooMany } = await mergeOlder(tx, context, older);
  changes.push(...merged);
  const imported = changes.reduce((sum, { made }) => sum + made.length, 0);
  if (!context.dryRun && imported > 0)
    await writePrepared(tx, context.choices, await prepareChanges(context, changes));
  return { taken, imported, known: taken - imported - tooMany.length, tooMany, hasStates };
}

const nothing: ReadonlySet<Candidate> = new Set();

/**
 * The changes of candidates, assuming that their tokens are new; the unique keys verify this.
 */
export function toFirstChanges(projectId: string, candidates: readonly Candidate[]): Change[] {
  return Array.from(toKeys(candidates).values(), (key) =>
    toChange(projectId, undefined, dropSame(key.candidates, nothing, [])),
  );
}

function toKeys(candidates: readonly Candidate[]): Map<string, Key> {
  const keys = new Map<string, Key>();
  for (const candidate of candidates) {
    const name = toHistoryName(candidate.entry);
    const key = keys.get(name);
    if (key) key.candidates.push(candidate);
    else {
      const { token, identifier } = candidate.entry;
      keys.set(name, { token, identifier, stored: undefined, candidates: [candidate] });
    }
  }
  return keys;
}

/** Locks and reads the states that candidates change, as many as one transaction may merge. */
async function readKeys(
  tx: DataTx,
  { projectId, dryRun }: MergeContext,
  candidates: readonly Candidate[],
): Promise<{ keys: Iterable<Key>; taken: number }> {
  const keys = toKeys(candidates);
  // Locked in key order to prevent deadlocks between imports.
  const names = [...keys.keys()].toSorted().flatMap((name) => toName(keys.get(name)));
  for (const row of await listStoredStates(tx, { projectId, keys: names, lock: !dryRun })) {
    const key = keys.get(toHistoryName(row));
    if (key) key.stored = row;
  }
  const taken = countTaken(keys, candidates);
  const left = new Set(candidates.slice(taken));
  if (left.size > 0)
    for (const key of keys.values())
      key.candidates = key.candidates.filter((one) => !left.has(one));
  return { keys: keys.values(), taken };
}

/** Counts the candidates that one transaction may merge with the existing records. */
function countTaken(keys: ReadonlyMap<string, Key>, candidates: readonly Candidate[]): number {
  const merged = new Set<Key>();
  let cost = 0;
  for (const [at, candidate] of candidates.entries()) {
    const key = keys.get(toHistoryName(candidate.entry));
    if (!key?.stored || isNewer(candidate, key.stored) || merged.has(key)) continue;
    cost += key.stored.consents;
    if (cost > MERGED_MAX && at > 0) return at;
    merged.add(key);
  }
  return candidates.length;
}

function toName(key: Key | undefined): StateName[] {
  return key ? [{ token: key.token, identifier: key.identifier }] : [];
}

function isNewer({ entry }: Candidate, stored: State | undefined): boolean {
  return !stored || entry.createdAt > timeOfId(stored.consentId);
}

/** The candidates, ordered by time, whose content is in neither `known` nor `existing`. */
function dropSame(
  candidates: readonly Candidate[],
  known: ReadonlySet<Candidate>,
  existing: readonly ExistingRecord[],
): readonly Candidate[] {
  if (candidates.length === 1 && known.size === 0 && existing.length === 0) return candidates;
  const said = new Set(
    existing.map((row) => `${row.created_at.getTime()} ${row.accept} ${toContent(row)}`),
  );
  const fresh = candidates.filter((one) => {
    const { createdAt, accept, content } = one.entry;
    const before = said.size;
    return !known.has(one) && said.add(`${createdAt.getTime()} ${accept} ${content}`).size > before;
  });
  return fresh.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Finds the candidates that exist under their id. An id that belongs to another record is replaced by
 * the one derived from the entry.
 */
async function settleIds(
  tx: DataTx,
  { projectId }: MergeContext,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Candidate>> {
  const known = new Set<Candidate>();
  const taken = new Map<string, string>();
  const contents = new Map<string, string>();
  const toContentOf = ({ value, preferences }: ExistingTexts): string => {
    const text = `${value ?? ""}\n${preferences ?? ""}`;
    let content = contents.get(text);
    if (content === undefined) {
      content = toContent({
        value: JSON.parse(value ?? "null"),
        preferences: JSON.parse(preferences ?? "null"),
      });
      contents.set(text, content);
    }
    return content;
  };
  const look = async (asked: readonly Candidate[]): Promise<Candidate[]> => {
    const ids = asked.map(({ id }) => id);
    for (const row of await listKeptById(tx, projectId, ids))
      taken.set(row.id, `${toHistoryName(row)} ${row.accept} ${toContentOf(row)}`);
    const others: Candidate[] = [];
    for (const one of asked) {
      const { entry } = one;
      const meaning = `${toHistoryName(entry)} ${entry.accept} ${entry.content}`;
      const there = taken.get(one.id);
      if (there === undefined) taken.set(one.id, meaning);
      else if (there === meaning) known.add(one);
      else others.push(one);
    }
    return others;
  };
  const others = await look(candidates);
  for (const one of others) one.id = deriveId(one.entry);
  if (others.length > 0) for (const one of await look(others)) known.add(one);
  return known;
}

/** Merges candidates older than some existing record, by reading the existing records. */
async function mergeOlder(
  tx: DataTx,
  context: MergeContext,
  keys: readonly Key[],
): Promise<{ merged: Change[]; tooMany: Candidate[] }> {
  const merged: Change[] = [];
  const tooMany: Candidate[] = [];
  const all = keys.flatMap(({ candidates }) => candidates);
  const known = all.length > 0 ? await settleIds(tx, context, all) : nothing;
  let group: Key[] = [];
  let count = 0;
  const mergeGroup = async (): Promise<void> => {
    if (group.length > 0) merged.push(...(await mergeRecords(tx, context, group)));
    group = [];
    count = 0;
  };
  for (const key of keys) {
    const fresh = dropSame(key.candidates, known, []);
    const records = key.stored?.consents ?? 0;
    if (fresh.length === 0) continue;
    if (fresh.every((one) => isNewer(one, key.stored)))
      merged.push(toChange(context.projectId, key.stored, fresh));
    else if (records + fresh.length > RECORDS_MAX) tooMany.push(...fresh);
    else {
      if (count + records > READ_MAX) await mergeGroup();
      group.push({ ...key, candidates: [...fresh] });
      count += records;
    }
  }
  await mergeGroup();
  return { merged, tooMany };
}

async function mergeRecords(
  tx: DataTx,
  { projectId }: MergeContext,
  keys: readonly Key[],
): Promise<Change[]> {
  const names = keys.map(({ token, identifier }) => ({ token, identifier }));
  const rows = Map.groupBy(await listExistingRecords(tx, projectId, names), toHistoryName);
  return keys.flatMap((key) => {
    const existing = rows.get(toHistoryName(key)) ?? [];
    const fresh = dropSame(key.candidates, nothing, existing);
    if (fresh.length === 0) return [];
    const said = [
      ...existing.map((row) => toStoredRecordAnswers(projectId, row)),
      ...fresh.map((one) => toRecordAnswers(projectId, one)),
    ];
    const { state, past } = foldRecords(
      undefined,
      said.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    return [{ made: fresh, isNew: false, history: { state, past } }];
  });
}
