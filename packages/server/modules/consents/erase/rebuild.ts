import { toOneBucket } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { Fault, codeOf } from "../../../platform/errors.ts";
import { hasArchived } from "../archive/archived.ts";
import { type AnswerCombinations, openAnswerCombinations } from "../states/answer-combinations.ts";
import { type StateHistory, isSameCount, isSameState, toHistoryName } from "../states/fold.ts";
import { type Part, foldParts, insertPart } from "./rebuild-parts.ts";
import {
  type HistoryKey,
  type PastRow,
  type TokenRange,
  countPast,
  deleteHistories,
  listStateProjects,
  listStateTokens,
  listPast,
  listStates,
  lockRebuilding,
} from "../states/rebuild-store.ts";
import type { State } from "../states/states.ts";
import { type StateRow, toState } from "../states/states-store.ts";
import { CombinationErasedError } from "../states/used-combinations.ts";

const TOKENS_PER_PAGE = 500;
/** Limit of records in memory, with the states that they replaced: each may answer for 500 vendors. */
const RECORDS_PER_PAGE = 250;
/** Limit of attempts: a collector may write a state between the comparison and the lock. */
const ATTEMPTS_MAX = 5;

/** The progress and results of a rebuild. */
export interface RebuildProgress {
  projects: number;
  tokens: number;
  records: number;
  /** Tokens and configurations whose states do not follow from their records. */
  differences: number;
}

interface RebuildOptions {
  /** Only this project. */
  projectId?: string | undefined;
  /** Whether to report differences without writing. */
  isCheck: boolean;
  recordsPerPage?: number;
  onProgress?: (progress: Readonly<RebuildProgress>) => void;
  onDifference?: (difference: { projectId: string; token: string; identifier: string }) => void;
  signal?: AbortSignal;
}

/**
 * Rebuilds the states and past states of all tokens from their records, or with `isCheck` reports differences. Safe
 * during collection: a token is compared in one snapshot, and differences are read again under a lock before they are
 * written.
 */
export async function rebuildStates(db: DataDb, options: RebuildOptions): Promise<RebuildProgress> {
  const progress = { projects: 0, tokens: 0, records: 0, differences: 0 };
  const choices = openAnswerCombinations(toOneBucket(db));
  const projects = options.projectId ? [options.projectId] : await listStateProjects(db);
  for (const projectId of projects) {
    await assertNotArchived(db, projectId);
    for (let after = ""; ;) {
      options.signal?.throwIfAborted();
      const tokens = await listStateTokens(db, { projectId, after, limit: TOKENS_PER_PAGE });
      const last = tokens.at(-1);
      if (last === undefined) break;
      await rebuildTokens(db, { projectId, after, last, choices }, { options, progress });
      after = last;
      progress.tokens += tokens.length;
      options.onProgress?.(progress);
    }
    progress.projects += 1;
  }
  return progress;
}

/** Archived records are found by the states, which a rebuild would have to do without. */
async function assertNotArchived(db: DataDb, projectId: string): Promise<void> {
  if (!(await hasArchived(db, projectId))) return;
  const message = `Project ${projectId} has archived months, which a rebuild cannot read`;
  throw new Fault("impossible", `${message}. Run \`avow months restore\` first.`);
}

interface Tokens extends TokenRange {
  choices: AnswerCombinations;
}

async function rebuildTokens(
  db: DataDb,
  tokens: Tokens,
  { options, progress }: { options: RebuildOptions; progress: RebuildProgress },
): Promise<void> {
  const { projectId } = tokens;
  const limit = options.recordsPerPage ?? RECORDS_PER_PAGE;
  const found = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute((tx) => compare(tx, tokens, limit));
  progress.records += found.records;
  progress.differences += found.different.length;
  for (const { token, identifier } of found.different)
    options.onDifference?.({ projectId, token, identifier });
  if (options.isCheck || found.different.length === 0) return;
  await repair(db, tokens, { keys: found.different, limit });
}

async function repair(
  db: DataDb,
  tokens: Tokens,
  { keys, limit }: { keys: readonly HistoryKey[]; limit: number },
): Promise<void> {
  const names = new Set(keys.map(toHistoryName));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.transaction().execute(async (tx) => {
        await lockRebuilding(tx, tokens.projectId);
        await deleteHistories(tx, tokens.projectId, keys);
        for await (const part of foldParts(tx, tokens, { limit, names }))
          await insertPart(tx, tokens.choices, part);
      });
      return;
    } catch (error) {
      const code = codeOf(error);
      const isTransient = code === "23505" || code === "40P01" || code === "40001";
      if (!(isTransient || error instanceof CombinationErasedError) || attempt >= ATTEMPTS_MAX)
        throw error;
    }
  }
}

/** Compares the states of tokens with those computed from their records. */
async function compare(
  tx: DataTx,
  range: TokenRange,
  limit: number,
): Promise<{ records: number; different: HistoryKey[] }> {
  const different = new Map<string, HistoryKey>();
  let records = 0;
  let { after } = range;
  for await (const part of foldParts(tx, range, { limit })) {
    records += part.records;
    const found: HistoryKey[] = await listPastDifferences(tx, range.projectId, part.past);
    if (part.through !== undefined) {
      found.push(
        ...(await listDifferences(tx, { ...range, after, last: part.through }, part.ends)),
      );
      after = part.through;
    }
    for (const { token, identifier } of found)
      different.set(toHistoryName({ token, identifier }), { token, identifier });
  }
  return { records, different: [...different.values()] };
}

/** The tokens and configurations with a past state that is missing or differs from the computed one. */
async function listPastDifferences(
  tx: DataTx,
  projectId: string,
  past: StateHistory["past"],
): Promise<HistoryKey[]> {
  const keys = past.map(({ state: { token, identifier, consentId } }) => ({
    token,
    identifier,
    consentId,
  }));
  const rows = await listPast(tx, projectId, keys);
  const byId = new Map(rows.map((row) => [row.consent_id, row]));
  return past
    .filter((one) => !matchesPastRow(one, byId.get(one.state.consentId)))
    .map(({ state }) => state);
}

/**
 * The tokens and configurations of a range whose state, or number of past states, differs from the computed ones;
 * `ends` are the computed states of all tokens of the range.
 */
async function listDifferences(
  tx: DataTx,
  range: TokenRange,
  ends: Part["ends"],
): Promise<HistoryKey[]> {
  const states = new Map((await listStates(tx, range)).map((row) => [toHistoryName(row), row]));
  const past = new Map((await countPast(tx, range)).map((row) => [toHistoryName(row), row]));
  const made = new Map(ends.map((state) => [toHistoryName(state), state]));
  return [...new Map<string, HistoryKey>([...past, ...states, ...made])]
    .filter(([name]) => !matchesRow(made.get(name), states.get(name), past.get(name)?.count ?? 0))
    .map(([, key]) => key);
}

/** Whether a row equals the computed state, with one past state for each record but the last. */
function matchesRow(made: State | undefined, row: StateRow | undefined, past: number): boolean {
  if (!made || !row || made.consents !== past + 1) return false;
  const state = toState(row);
  return isSameState(made, state) && isSameCount(made, state) && hasMatchingChoice(row);
}

function matchesPastRow(expected: StateHistory["past"][number], row: PastRow | undefined): boolean {
  if (!row || row.until_id !== expected.untilId || !hasMatchingChoice(row)) return false;
  return isSameState(expected.state, toState(row));
}

/** Whether the combination of a row has the same answers as its `items`. */
function hasMatchingChoice({ items, choice, choice_items: answers }: StateRow): boolean {
  if (choice === null) return items !== null;
  if (!answers) return false;
  if (!items) return true;
  const names = Object.keys(items);
  return (
    names.length === Object.keys(answers).length &&
    names.every((name) => {
      const [own, other] = [items[name], answers[name]];
      return own?.answer === other?.answer && own?.substance === other?.substance;
    })
  );
}
