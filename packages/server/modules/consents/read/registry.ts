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
    countConsents(db, filter),
    listConsents(db, filter, window),
  ]);
  return { items: rows.map(toRecord), total };
}

/** Limit of records examined for a page, because a filter may exclude most of them. */
const EXAMINED_MAX = 5_000;

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
  const end = await findExaminedEnd(db, filter, { order, after, offset: EXAMINED_MAX });
  const rows = await listConsents(db, filter, { order, limit: limit + 1, after, end });
  const page = toRecordsPage(rows, limit);
  return end !== undefined && page.next === undefined ? { ...page, next: toCursor([end]) } : page;
}

/** A page of up to `limit` + 1 rows: the additional row says that there is a next page. */
export function toRecordsPage(rows: ConsentRow[], limit: number): CursorPage<ConsentRecord> {
  return toCursorPage(rows, limit, { keyOf: (row) => [row.id], toItem: toRecord });
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
