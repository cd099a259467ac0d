import { type AllPlanes, readByProject } from "../../../platform/db/buckets/buckets.ts";
import type { DataTx } from "../../../platform/db/db.ts";
import { firstIdAt } from "../../../kernel/ids.ts";
import type { AnswerCombinations } from "../states/answer-combinations.ts";
import { type RecordValidity, monthsBefore, trackValidity } from "../states/validity.ts";
import { type ArchivedRow, eraseArchived, listArchivedOfTokens } from "../archive/archived.ts";
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
  type LastWalk,
  insertWalk,
  listAnswers,
  listNonEmptyHistories,
  listHistoryRecords,
  listLastWalks,
  listWalked,
  lockWalk,
  updateWalk,
} from "./retention-store.ts";
import { listRetained } from "./retained-store.ts";

const PROJECTS_PER_PAGE = 200;
/** Records that one transaction examines. */
const RECORDS_PER_STEP = 1_000;
/** Records read at a time, for tokens with several. */
const RECORDS_PER_PAGE = 1_000;
/** Approximate limit of records erased by one transaction. */
const ERASED_MAX = 20_000;
/** Interval of walks of a project: records stay at most this much longer than the retention period. */
const WALK_INTERVAL_MS = 7 * 86_400_000;
const MONTHS_MAX = 1_200;
const idMin = "00000000-0000-0000-0000-000000000000";

/** A project, which may be deleted, with records that may be due for erasure. */
export interface DueProject {
  projectId: string;
  /** Records out of force at this instant are due. */
  until: Date;
}

/**
 * The projects that are due for a walk, in the order of ids. A walk reads the records older than the retention period,
 * by id, which is by time. It starts a week after the last one, or earlier if the retention period was shortened.
 */
export async function* listDueProjects(
  { db, buckets }: AllPlanes,
  { now, months }: { now: Date; months: number },
): AsyncGenerator<DueProject> {
  for (let after = ""; ;) {
    const rows = await listRetained(db, { after, limit: PROJECTS_PER_PAGE });
    const keys = rows.map(({ id: projectId }) => ({ projectId }));
    const walks = new Map(
      await readByProject(buckets, keys, async (data, own) => [
        ...(await listLastWalks(
          data,
          own.map(({ projectId }) => projectId),
        )),
      ]),
    );
    for (const { id, months: own } of rows) {
      const until = toDue(walks.get(id), monthsBefore(now, toMonths(own) ?? months));
      if (until) yield { projectId: id, until };
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** The retention period of a project in months; undefined if invalid: the field is not validated. */
function toMonths(months: unknown): number | undefined {
  const isValid = typeof months === "number" && Number.isInteger(months);
  return isValid && months >= 1 && months <= MONTHS_MAX ? months : undefined;
}

function toDue(last: LastWalk | undefined, due: Date): Date | undefined {
  if (!last) return due;
  const { until, after } = last;
  if (after !== null) return until;
  return due.getTime() - until.getTime() >= WALK_INTERVAL_MS ? due : undefined;
}

/** The result of a step of a walk. */
export interface Step {
  /** Records that were erased. */
  count: number;
  isEnd: boolean;
}

/**
 * Continues or starts a project's walk: erases those of its next records that are due, with all data about them, and
 * rebuilds the states of their tokens from the remaining records. Stores the position in the same transaction.
 * Undefined while another node continues the walk.
 * @throws CombinationErasedError as `assignAndLockNumbers`: retry in another transaction
 */
export async function continueWalk(
  tx: DataTx,
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

/** The records out of force in the histories of these records; `isWhole` is false if `ERASED_MAX` cut the list. */
async function findEnded(
  tx: DataTx,
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
  const tokens = keys.map(({ token }) => token);
  const archived = await listArchivedOfTokens(tx, projectId, tokens);
  const of = { projectId, keys, before: firstIdAt(until), archived };
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

/** The same records, with the expiry periods of their answers. */
async function listValidities(
  tx: DataTx,
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
    if (!days) throw new Error(`answer combination ${choice} of ${identifier} is missing`);
    return { id, token, identifier, days };
  });
}

function toDays(answers: NonNullable<AnsweredRow["answers"]>): RecordValidity["days"] {
  return new Map(Object.entries(answers).map(([item, { days }]) => [item, days]));
}

/** Erases these records; returns how many existed. */
async function eraseEnded(
  tx: DataTx,
  { projectId, ended }: { projectId: string; ended: readonly RecordsOutOfForce[] },
  { choices, forget }: { choices: AnswerCombinations; forget: Forget },
): Promise<number> {
  if (ended.length === 0) return 0;
  await lockErasing(tx, projectId);
  const keys = ended.map(({ token, identifier }) => ({ token, identifier }));
  await lockHistories(tx, projectId, keys);
  const named = await listNamedChoices(tx, projectId, keys);
  const due = ended.flatMap((one) => one.ids);
  const erased = await eraseArchived(tx, projectId, due);
  // Before the states are deleted, which lead to archived records.
  const tokens = keys.map(({ token }) => token);
  const archived = await listArchivedOfTokens(tx, projectId, tokens);
  await deleteHistories(tx, projectId, keys);
  const gone = await deleteRecords(tx, projectId, due);
  await refold(tx, { projectId, keys, choices, archived });
  const ids = [...gone.map(({ id }) => id), ...erased];
  await forgetRecords(tx, { projectId, ids, named: [...named, ...gone] }, forget);
  return ids.length;
}

/** Rebuilds deleted states from the remaining records. */
async function refold(
  tx: DataTx,
  {
    projectId,
    keys,
    choices,
    archived,
  }: {
    projectId: string;
    keys: readonly HistoryKey[];
    choices: AnswerCombinations;
    archived: readonly ArchivedRow[];
  },
): Promise<void> {
  const filled = Map.groupBy(
    await listNonEmptyHistories(tx, projectId, { keys, archived }),
    ({ token }) => token,
  );
  for (const [token, own] of filled) {
    const range = { projectId, after: token, last: token };
    const names = new Set(own.map(toHistoryName));
    const from = { token, id: idMin };
    const rows = archived.filter((row) => row.token === token);
    const folding = { limit: RECORDS_PER_PAGE, names, from, archived: rows };
    for await (const part of foldParts(tx, range, folding)) await insertPart(tx, choices, part);
  }
}
