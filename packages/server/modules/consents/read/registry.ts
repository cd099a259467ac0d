import type { Db } from "../../../platform/db/db.ts";
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
import { type ConsentRecord, toRecord } from "../records/row.ts";
import type { ConsentsQueryIn } from "@avow/contract/consents";
import {
  type ConsentsFilter,
  countConsents,
  findExaminedEnd,
  listConsents,
} from "../records/store.ts";

const OFFSET_MAX = 100_000;
/** Records in memory at once where a list is streamed: each may have 100 KiB. */
export const STREAM_LIMIT = 200;

type Query = Omit<ConsentsQueryIn, "cursor">;

/**
 * A page of the records of a project, by number.
 * @throws Fault impossible when it lies deeper than 100,000 records: use the cursor
 */
export async function listRecords(
  db: Db,
  projectId: string,
  query: Query,
): Promise<Page<ConsentRecord>> {
  const offset = (query.page - 1) * query.perPage;
  if (offset > OFFSET_MAX)
    throw new Fault("impossible", `Pages end after ${OFFSET_MAX} records: go on with \`cursor\`.`, {
      faults: [{ path: "?page", message: "is too deep: start with an empty cursor instead" }],
    });
  const filter = toFilter(projectId, query);
  const window = { order: orderOf(query), limit: query.perPage, offset } as const;
  const [total, rows] = await Promise.all([
    countConsents(db, filter),
    listConsents(db, filter, window),
  ]);
  return { items: rows.map(toRecord), total };
}

/** Limit of records examined for one page, where a filter may reject most of them. */
const EXAMINED_MAX = 5_000;

/**
 * The records after `cursor` ("" for the first ones), at the same cost however deep they lie: where the
 * filter leaves many out, a page is short and still has a `next`.
 */
export async function listRecordsAfter(
  db: Db,
  filter: ConsentsFilter,
  query: { order: "asc" | "desc"; limit: number; cursor: string },
): Promise<CursorPage<ConsentRecord>> {
  const { order, limit } = query;
  const after = parseIdCursor(query.cursor);
  const end = await findExaminedEnd(db, filter, { order, after, offset: EXAMINED_MAX });
  const rows = await listConsents(db, filter, { order, limit: limit + 1, after, end });
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

/** Which records a query asks for. Instants become bounds of ids, so that the key serves them. */
export function toFilter(
  projectId: string,
  query: Omit<Query, "sort" | "page" | "perPage">,
): ConsentsFilter {
  const { start, end, token, collection, identifier, accept, import: importId } = query;
  const from = start === undefined ? undefined : toFirstIdAt(start, "?start");
  const to = end === undefined ? undefined : toFirstIdAt(end, "?end");
  return { projectId, token, collection, identifier, accept, importId, from, to };
}

function toFirstIdAt(instant: string, path: string): string {
  const date = new Date(instant);
  if (!Number.isNaN(date.getTime())) return firstIdAt(date);
  const message = "is not an instant";
  throw new Fault("invalid", `${path}: ${message}`, { faults: [{ path, message }] });
}
