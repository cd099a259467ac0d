import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { documentIdPattern } from "../../../kernel/ids.ts";
import { Fault } from "../../../platform/errors.ts";
import {
  type ArchivedObject,
  type ObjectBounds,
  type RecordKey,
  countMoved,
  countNotLive,
  hasArchived,
  listErased,
  listKeysOfTokens,
  listObjectsIn,
  listObjectsOf,
  toKeyText,
} from "./archive-store.ts";
import type { ArchivedRow } from "./columns.ts";
import { archiveOf } from "./reader.ts";

export {
  consentsWith,
  countMoved,
  eraseArchived,
  findMoves,
  hasArchived,
  listKeysOfTokens,
  listObjectsOf,
} from "./archive-store.ts";
export type { ArchivedRow } from "./columns.ts";

/** Timeout of a read of a range, which may have to read whole months for few records. */
const RANGE_TIMEOUT_MS = 30_000;
const COUNTED_AT_ONCE = 50_000;
/** The columns of `ArchivedFilter`. */
const outlineColumns = [
  "project_id",
  "id",
  "token",
  "collection",
  "identifier",
  "accept",
  "import_id",
] as const;

/** The archived ones of these records, in no order, without erased ones. Reads each row group once. */
export async function listArchived(
  db: DataDb | DataTx,
  keys: readonly RecordKey[],
): Promise<ArchivedRow[]> {
  const objects = await listObjectsOf(db, keys);
  if (objects.length === 0) return [];
  const reader = archiveOf(db);
  const wanted = new Set(keys.map(toKeyText));
  const found = new Map<string, ArchivedRow>();
  for (const object of objects) {
    const { groups } = await reader.readFooter(object);
    const ids = keys.filter(({ projectId }) => projectId === object.projectId).map(({ id }) => id);
    const hit = groups.flatMap(({ first, last }, at) =>
      ids.some((id) => id >= first && id <= last) ? [at] : [],
    );
    await Promise.all(
      hit.map(async (at) => {
        for (const row of await reader.readGroup(object, at)) {
          const key = toKeyText(keyOf(row));
          if (wanted.has(key)) found.set(key, row);
        }
      }),
    );
  }
  return dropErased(db, [...found.values()]);
}

function keyOf({ project_id: projectId, id }: ArchivedRow): RecordKey {
  return { projectId, id };
}

async function dropErased(
  db: DataDb | DataTx,
  rows: readonly ArchivedRow[],
): Promise<ArchivedRow[]> {
  if (rows.length === 0) return [];
  const erased = await listErased(db, rows.map(keyOf));
  return rows.filter((row) => !erased.has(toKeyText(keyOf(row))));
}

/** The archived records of these tokens, in no order. Each record has a state, which leads to it. */
export async function listArchivedOfTokens(
  db: DataDb | DataTx,
  projectId: string,
  tokens: readonly string[],
): Promise<ArchivedRow[]> {
  if (tokens.length === 0 || !(await hasArchived(db, projectId))) return [];
  return listArchived(db, await listKeysOfTokens(db, projectId, [...new Set(tokens)]));
}

/** Conditions on records. */
export interface ArchivedFilter {
  projectId: string;
  /** Lowest id, inclusive. */
  from?: string | undefined;
  /** Highest id, exclusive. */
  to?: string | undefined;
  token?: string | undefined;
  collection?: string | undefined;
  identifier?: string | undefined;
  accept?: boolean | undefined;
  importId?: string | undefined;
}

/** A part of the matching records, in ascending or descending order of ids. */
export interface ArchivedWindow {
  order: "asc" | "desc";
  /** The id to continue after, in `order`. */
  after?: string | undefined;
  /** The last id to examine, in `order`. */
  end?: string | undefined;
  limit: number;
  /** Whether only the columns of `ArchivedFilter` are needed; the others are then null. */
  isOutline?: boolean;
  /** Limits of the examined records and of the text of the found ones, beyond which `through` ends the result. */
  examinedMax?: number;
  charsMax?: number;
}

interface ArchivedPage {
  rows: ArchivedRow[];
  /** Set if the part was read through this id only. */
  through: string | undefined;
}

/** A row group of a file, or a file that was not opened yet (`at` undefined), by its first id in the requested order. */
interface Ahead {
  edge: string;
  object: ArchivedObject;
  at: number | undefined;
}

/**
 * The first `limit` matching archived records of a part. Those of a token are found by its states; otherwise reads row
 * groups one after another, in the order of ids.
 * @throws Fault busy after 30 seconds
 */
export async function listArchivedIn(
  db: DataDb | DataTx,
  filter: ArchivedFilter,
  window: ArchivedWindow,
): Promise<ArchivedPage> {
  const { order, after, end, limit, isOutline, charsMax = Infinity } = window;
  const { examinedMax = Infinity } = window;
  const isBefore = (a: string, b: string) => (order === "asc" ? a < b : a > b);
  const byId = (a: ArchivedRow, b: ArchivedRow) => (isBefore(a.id, b.id) ? -1 : 1);
  const isMatching = (row: ArchivedRow) =>
    (after === undefined || isBefore(after, row.id)) &&
    (end === undefined || !isBefore(end, row.id)) &&
    matches(row, filter);
  if (filter.token !== undefined) {
    const own = await listArchivedOfTokens(db, filter.projectId, [filter.token]);
    const rows = own.filter(isMatching).toSorted(byId).slice(0, limit);
    return { rows, through: undefined };
  }
  const ahead = (await listObjectsIn(db, toBounds(filter, window), order)).map((object): Ahead => {
    return { edge: order === "asc" ? object.first : object.last, object, at: undefined };
  });
  if (ahead.length === 0) return { rows: [], through: undefined };
  const reader = archiveOf(db);
  const until = performance.now() + RANGE_TIMEOUT_MS;
  const found = new Map<string, ArchivedRow>();
  let rows: ArchivedRow[] = [];
  let chars = 0;
  let examined = 0;
  for (let next = ahead.shift(); next; next = ahead.shift()) {
    const { object, at, edge } = next;
    const last = rows[limit - 1];
    if (last && isBefore(last.id, edge)) break;
    if (at !== undefined && (chars >= charsMax || examined >= examinedMax)) {
      // No unread row group has a record before its edge.
      const whole = rows.filter(({ id }) => isBefore(id, edge));
      const through = whole.length > limit ? whole[limit - 1]?.id : toNeighbor(edge, order);
      return { rows: whole.slice(0, limit), through };
    }
    if (performance.now() > until) throw toTimeoutFault();
    if (at === undefined) {
      const { groups } = await reader.readFooter(object);
      for (const [n, group] of groups.entries()) {
        const edges = [group.first, group.last] as const;
        const [near, far] = order === "asc" ? edges : edges.toReversed();
        if (after !== undefined && !isBefore(after, far)) continue;
        if (end !== undefined && isBefore(end, near)) continue;
        ahead.push({ edge: near, object, at: n });
      }
      ahead.sort((a, b) => (isBefore(a.edge, b.edge) ? -1 : 1));
      continue;
    }
    const group = await reader.readGroup(object, at, isOutline ? outlineColumns : undefined);
    examined += group.length;
    for (const row of await dropErased(db, group.filter(isMatching))) {
      // Two files may have it, after a restore and another archiving.
      if (!found.has(row.id)) chars += sizeOf(row);
      found.set(row.id, row);
    }
    rows = [...found.values()].toSorted(byId);
  }
  return { rows: rows.slice(0, limit), through: undefined };
}

function matches(row: ArchivedRow, filter: ArchivedFilter): boolean {
  const { from, to, token, collection, identifier, accept, importId } = filter;
  return (
    (from === undefined || row.id >= from) &&
    (to === undefined || row.id < to) &&
    (token === undefined || row.token === token) &&
    (collection === undefined || row.collection === collection) &&
    (identifier === undefined || row.identifier === identifier) &&
    (accept === undefined || row.accept === accept) &&
    (importId === undefined || row.import_id === importId)
  );
}

/** The bounds by which files are selected; the records are compared exactly. */
function toBounds(
  { projectId, from, to, importId }: ArchivedFilter,
  { order, after, end }: ArchivedWindow,
): ObjectBounds {
  const [low, high] = order === "asc" ? [after, end] : [end, after];
  return {
    projectId,
    low: low !== undefined && (from === undefined || low > from) ? low : from,
    high: high !== undefined && (to === undefined || high < to) ? high : to,
    // A file that is older than an import has no record of it.
    copiedFrom: importId === undefined ? undefined : toImportTime(importId),
  };
}

/** The id of an import begins with its time in seconds. */
function toImportTime(id: string): Date | undefined {
  return documentIdPattern.test(id)
    ? new Date(Number.parseInt(id.slice(0, 8), 16) * 1_000)
    : undefined;
}

/** The id next to another one, against the order. */
function toNeighbor(id: string, order: "asc" | "desc"): string {
  const digits = BigInt(`0x${id.replaceAll("-", "")}`) + (order === "asc" ? -1n : 1n);
  const hex = digits.toString(16).padStart(32, "0");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

function sizeOf({ preferences, value, answers }: ArchivedRow): number {
  return String(preferences).length + String(value).length + String(answers).length;
}

function toTimeoutFault(): Fault {
  const message = "Reading archived months took too long. Narrow the period, or restore the months";
  return new Fault("busy", `${message}.`, { retryAfterSeconds: 60 });
}

/** Counts archived records that are not in `consents`. A filter by more than the range reads all files of the range. */
export async function countArchived(db: DataDb | DataTx, filter: ArchivedFilter): Promise<number> {
  const { projectId, from, to, ...conditions } = filter;
  const { count: whole, isPartial } = await countMoved(db, { projectId, low: from, high: to });
  const isAll = Object.values(conditions).every((one) => one === undefined);
  if (isAll && !isPartial) return whole;
  let count = 0;
  const window = { order: "asc", limit: COUNTED_AT_ONCE, isOutline: true } as const;
  for (let after: string | undefined; ;) {
    const { rows } = await listArchivedIn(db, filter, { ...window, after });
    const ids = rows.map(({ id }) => id);
    count += await countNotLive(db, projectId, ids);
    after = ids.at(-1);
    if (rows.length < COUNTED_AT_ONCE) return count;
  }
}
