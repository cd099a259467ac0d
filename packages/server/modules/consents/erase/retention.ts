import type { Db, Tx } from "../../../platform/db/db.ts";
import { firstIdAt } from "../../../kernel/ids.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import { type RecordValidity, monthsBefore, trackValidity } from "../states/validity.ts";
import { deleteRecords, listNamedChoices } from "./erasing-store.ts";
import type { Forget } from "../ports.ts";
import { forgetRecords } from "./erasing.ts";
import { toHistoryName } from "../states/fold.ts";
import { foldParts, insertPart } from "./rebuild-parts.ts";
import {
  type HistoryKey,
  deleteHistories,
  lockErasing,
  lockHistories,
} from "../states/rebuild-store.ts";
import {
  type AnsweredRow,
  type RetainedRow,
  insertWalk,
  listAnswers,
  listNonEmptyHistories,
  listHistoryRecords,
  listRetained,
  listWalked,
  lockWalk,
  updateWalk,
} from "./retention-store.ts";

const PROJECTS_PER_PAGE = 200;
/** One transaction looks at so many records from one on, … */
const RECORDS_PER_STEP = 1_000;
/** … reads so many at a time of the tokens that have several, and erases about so many. */
const RECORDS_PER_PAGE = 1_000;
const ERASED_MAX = 20_000;
/** A project is walked through again when so much more may be due; it says when at the latest. */
const WALK_EVERY_MS = 7 * 86_400_000;
const MONTHS_MAX = 1_200;
const idMin = "00000000-0000-0000-0000-000000000000";

/** A project of which records may be due, also one that was deleted. */
export interface DueProject {
  projectId: string;
  /** What was out of force by then is to be erased. */
  until: Date;
}

/**
 * The projects that are to be walked through, in the order of their ids. A walk reads what is older than
 * proofs are kept, by id, which is by time; it begins when a week has passed since the last one, or when
 * the project keeps proofs for less long than before.
 */
export async function* listDueProjects(
  db: Db,
  { now, months }: { now: Date; months: number },
): AsyncGenerator<DueProject> {
  for (let after = ""; ;) {
    const rows = await listRetained(db, { after, limit: PROJECTS_PER_PAGE });
    for (const row of rows) {
      const until = toDue(row, monthsBefore(now, toMonths(row.months) ?? months));
      if (until) yield { projectId: row.id, until };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Projects keep whatever fields they are given: what came before this one had a meaning may be anything. */
function toMonths(months: unknown): number | undefined {
  const isSound = typeof months === "number" && Number.isInteger(months);
  return isSound && months >= 1 && months <= MONTHS_MAX ? months : undefined;
}

function toDue({ until, after }: RetainedRow, due: Date): Date | undefined {
  if (until === null) return due;
  if (after !== null) return until;
  return due.getTime() - until.getTime() >= WALK_EVERY_MS ? due : undefined;
}

/** The result of a step of a walk. */
export interface Step {
  /** Records that were erased. */
  count: number;
  isEnd: boolean;
}

/**
 * Goes on with a project's walk, or begins it: erases what of its next records has been out of force long
 * enough, with all that is kept of them, and makes the states of their tokens anew from what remains.
 * Where the walk stands is written in the same transaction. Undefined while another node is at it.
 * @throws CombinationErasedError as `assignAndLockNumbers`: again, in another transaction
 */
export async function continueWalk(
  tx: Tx,
  { projectId, until }: DueProject,
  { choices, forget }: { choices: AnswerCombinations; forget: Forget },
): Promise<Step | undefined> {
  await insertWalk(tx, projectId, { until, after: idMin });
  const walk = await lockWalk(tx, projectId);
  if (!walk) return undefined;
  const before = firstIdAt(walk.until);
  const given = { projectId, after: walk.after, before, limit: RECORDS_PER_STEP };
  const rows = await listWalked(tx, given);
  const { ended, isWhole } = await findEnded(tx, { projectId, until: walk.until }, rows);
  const count = await eraseEnded(tx, { projectId, ended }, { choices, forget });
  const isEnd = isWhole && rows.length < RECORDS_PER_STEP;
  const next = isWhole ? (rows.at(-1)?.id ?? walk.after) : walk.after;
  await updateWalk(tx, projectId, isEnd ? null : next);
  return { count, isEnd };
}

interface RecordsOutOfForce extends HistoryKey {
  ids: readonly string[];
}

/** What of the ledgers of some records is out of force; not the whole of it where that is much. */
async function findEnded(
  tx: Tx,
  { projectId, until }: DueProject,
  rows: Awaited<ReturnType<typeof listWalked>>,
): Promise<{ ended: RecordsOutOfForce[]; isWhole: boolean }> {
  const ended: RecordsOutOfForce[] = [];
  let count = 0;
  const add = ({ token, identifier }: HistoryKey, ids: readonly string[]): void => {
    const taken = ids.slice(0, Math.max(0, ERASED_MAX - count));
    count += ids.length;
    if (taken.length > 0) ended.push({ token, identifier, ids: taken });
  };
  const known: KnownDays = new Map();
  const alone = rows.filter(({ consents }) => consents === 1);
  for (const record of await listValidities(tx, { projectId, known }, alone)) {
    const ends = trackValidity(until);
    ends.add(record);
    add(record, ends.end());
  }
  const others = rows.filter(({ consents }) => consents !== 1);
  const keys = [...new Map(others.map((row) => [toHistoryName(row), row])).values()];
  const of = { projectId, keys, before: firstIdAt(until) };
  let ends = trackValidity(until);
  const endHistory = (at: number): void => {
    const key = keys[at];
    if (key) add(key, ends.end());
    ends = trackValidity(until);
  };
  for (let after = { at: 0, id: idMin }; keys.length > 0;) {
    const page = await listHistoryRecords(tx, of, { after, limit: RECORDS_PER_PAGE });
    for (const [n, record] of (await listValidities(tx, { projectId, known }, page)).entries()) {
      const { at = 0 } = page[n] ?? {};
      for (; after.at < at; after = { at: after.at + 1, id: idMin }) endHistory(after.at);
      ends.add(record);
      after = { at, id: record.id };
    }
    if (page.length < RECORDS_PER_PAGE) {
      endHistory(after.at);
      break;
    }
  }
  return { ended, isWhole: count <= ERASED_MAX };
}

type KnownDays = Map<string, RecordValidity["days"]>;

/** Records with how long each of their answers lasts, in their order. */
async function listValidities(
  tx: Tx,
  { projectId, known }: { projectId: string; known: KnownDays },
  rows: readonly AnsweredRow[],
): Promise<(HistoryKey & RecordValidity)[]> {
  const missing = new Map<string, { identifier: string; choice: number }>();
  for (const { identifier, choice } of rows) {
    const name = `${choice} ${identifier}`;
    if (choice !== null && !known.has(name)) missing.set(name, { identifier, choice });
  }
  if (missing.size > 0)
    for (const { identifier, choice, items } of await listAnswers(tx, projectId, [
      ...missing.values(),
    ]))
      known.set(`${choice} ${identifier}`, toDays(items));
  return rows.map(({ id, token, identifier, choice, answers }) => {
    const days = choice === null ? toDays(answers ?? {}) : known.get(`${choice} ${identifier}`);
    if (!days) throw new Error(`There is no choice ${choice} of ${identifier}.`);
    return { id, token, identifier, days };
  });
}

function toDays(answers: NonNullable<AnsweredRow["answers"]>): RecordValidity["days"] {
  return new Map(Object.entries(answers).map(([item, { days }]) => [item, days]));
}

/** Erases these records; answers how many were there. */
async function eraseEnded(
  tx: Tx,
  { projectId, ended }: { projectId: string; ended: readonly RecordsOutOfForce[] },
  { choices, forget }: { choices: AnswerCombinations; forget: Forget },
): Promise<number> {
  if (ended.length === 0) return 0;
  await lockErasing(tx, projectId);
  const keys = ended.map(({ token, identifier }) => ({ token, identifier }));
  await lockHistories(tx, projectId, keys);
  const named = await listNamedChoices(tx, projectId, keys);
  await deleteHistories(tx, projectId, keys);
  const gone = await deleteRecords(
    tx,
    projectId,
    ended.flatMap(({ ids }) => ids),
  );
  await refold(tx, { projectId, keys, choices });
  const ids = gone.map(({ id }) => id);
  await forgetRecords(tx, { projectId, ids, named: [...named, ...gone] }, forget);
  return ids.length;
}

/** Makes the states of ledgers that were taken away from what records remain, as a rebuild does. */
async function refold(
  tx: Tx,
  {
    projectId,
    keys,
    choices,
  }: { projectId: string; keys: readonly HistoryKey[]; choices: AnswerCombinations },
): Promise<void> {
  const filled = Map.groupBy(
    await listNonEmptyHistories(tx, projectId, keys),
    ({ token }) => token,
  );
  for (const [token, own] of filled) {
    const range = { projectId, after: token, last: token };
    const names = new Set(own.map(toHistoryName));
    const from = { token, id: idMin };
    const folding = { limit: RECORDS_PER_PAGE, names, from };
    for await (const part of foldParts(tx, range, folding)) await insertPart(tx, choices, part);
  }
}
