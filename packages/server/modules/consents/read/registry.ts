import type { DataDb } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import {
  type CursorPage,
  type Page,
  parseCursor,
  toCursor,
  toCursorFault,
  toCursorPage,
} from "../../../kernel/page.ts";
import { firstIdAt, uuidPattern } from "../../../kernel/ids.ts";
import { countArchived, findMoves, listArchived, listArchivedIn } from "../archive/archived.ts";
import { type ConsentRecord, type ConsentRow, toRecord } from "../records/row.ts";
import type { ConsentsQueryIn } from "@avow/contract/consents";
import { toInstants } from "@avow/contract/instants";
import {
  type ConsentsFilter,
  countConsents,
  findExaminedEnd,
  listConsents,
} from "../records/store.ts";

const OFFSET_MAX = 100_000;
/** Page size of a streamed list, which limits the records in memory: each may have 100 KiB. */
export const STREAM_LIMIT = 200;

type Query = Omit<ConsentsQueryIn, "cursor">;

/**
 * A page of the records of a project, by number.
 * @throws Fault impossible beyond 100,000 records, which need the cursor
 */
export async function listRecords(
  db: DataDb,
  projectId: string,
  query: Query,
): Promise<Page<ConsentRecord>> {
  const offset = (query.page - 1) * query.perPage;
  if (offset > OFFSET_MAX)
    throw new Fault(
      "impossible",
      `Pages are limited to the first ${OFFSET_MAX} records. Use \`cursor\` for more.`,
      {
        faults: [{ path: "?page", message: "is too high. Start with an empty cursor instead" }],
      },
    );
  const filter = toFilter(projectId, query);
  const window = { order: orderOf(query), limit: query.perPage, offset } as const;
  const [total, rows] = await Promise.all([
    countAll(db, filter),
    listConsents(db, filter, window).then((live) => withArchivedPage(db, filter, window, live)),
  ]);
  return { items: rows.map(toRecord), total };
}

/** Counts again if records moved to archived months in the meantime, which would be counted twice or not at all. */
async function countAll(db: DataDb, filter: ConsentsFilter): Promise<number> {
  const { projectId } = filter;
  for (let moves = await findMoves(db, projectId); ;) {
    const live = await countConsents(db, filter);
    if (moves === undefined) return live;
    const archived = await countArchived(db, filter);
    const now = await findMoves(db, projectId);
    if (now === moves) return live + archived;
    moves = now;
  }
}

/** The page with archived records, if it reaches any. */
async function withArchivedPage(
  db: DataDb,
  filter: ConsentsFilter,
  { order, limit, offset }: { order: "asc" | "desc"; limit: number; offset: number },
  live: ConsentRow[],
): Promise<ConsentRow[]> {
  // Records beyond a full page of live ones are not on the page.
  const end = live.length === limit ? live.at(-1)?.id : undefined;
  const window = { order, end, limit: offset + limit, isOutline: true };
  const { rows: outlines } = await listArchivedIn(db, filter, window);
  if (outlines.length === 0) return live;
  const page = await listConsents(db, filter, { order, limit, offset, archived: outlines });
  if (page.length === 0) return [];
  const { projectId } = filter;
  const ids = page.map(({ id }) => id);
  const archived = await listArchived(
    db,
    ids.map((id) => ({ projectId, id })),
  );
  return listConsents(db, filter, { order, limit, archived, ids });
}

/** Limit of records examined for a page, because a filter may exclude most of them. */
const EXAMINED_MAX = 5_000;
/** Limit of the text of archived records read for a page, each of which may have 100 KiB. */
const CHARS_MAX = 32 * 1024 * 1024;

/**
 * The records after `cursor` ("" for the first ones), at the same cost at any depth. If the filter excludes many
 * records, a page may have fewer than `limit` and still have a `next`.
 */
export async function listRecordsAfter(
  db: DataDb,
  filter: ConsentsFilter,
  query: { order: "asc" | "desc"; limit: number; cursor: string },
): Promise<CursorPage<ConsentRecord>> {
  const { order, limit } = query;
  const after = parseIdCursor(query.cursor);
  const liveEnd = await findExaminedEnd(db, filter, { order, after, offset: EXAMINED_MAX });
  const window = { order, limit: limit + 1, after } as const;
  const live = await listConsents(db, filter, { ...window, end: liveEnd });
  const bound = live.length > limit ? live.at(-1)?.id : liveEnd;
  const { rows: archived, through } = await listArchivedIn(db, filter, {
    ...window,
    end: bound,
    examinedMax: EXAMINED_MAX,
    charsMax: CHARS_MAX,
  });
  const end = through ?? liveEnd;
  const isChanged = archived.length > 0 || through !== undefined;
  const rows = isChanged ? await listConsents(db, filter, { ...window, end, archived }) : live;
  const page = toCursorPage(rows, limit, { keyOf: (row) => [row.id], toItem: toRecord });
  return end !== undefined && page.next === undefined ? { ...page, next: toCursor([end]) } : page;
}

function parseIdCursor(cursor: string): string | undefined {
  const [id] = parseCursor(cursor === "" ? undefined : cursor, 1) ?? [];
  if (id === undefined || uuidPattern.test(id)) return id;
  throw toCursorFault();
}

export function orderOf({ sort }: Pick<Query, "sort">): "asc" | "desc" {
  return sort === "createdAt" ? "asc" : "desc";
}

/** The filter of a query. Instants become bounds of ids, to use the primary key. */
export function toFilter(
  projectId: string,
  query: Omit<Query, "sort" | "page" | "perPage">,
): ConsentsFilter {
  const { start, end, token, collection, identifier, accept, import: importId } = query;
  const from = start === undefined ? undefined : firstIdAt(toInstants(start).first);
  const to = end === undefined ? undefined : firstIdAt(toInstants(end).end);
  return { projectId, token, collection, identifier, accept, importId, from, to };
}
