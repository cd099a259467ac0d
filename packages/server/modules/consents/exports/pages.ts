import type { DataDb } from "../../../platform/db/db.ts";
import { listArchivedIn } from "../archive/archived.ts";
import {
  type Column,
  type ColumnTexts,
  SEPARATOR,
  type Stretch,
  findStretchEnd,
  readColumns,
} from "./store.ts";

/** Limits of a page, which is one short query with its result in memory. */
const bounds = { rowsMax: 1_000, bytesMax: 2 * 1024 * 1024 };
/** Number of pages to prefetch while one is being written. */
const AHEAD = 2;

/** A page of records by column, with values as text; null is the empty text. */
export interface Page {
  count: number;
  /** `1` or `0`, one character per record. */
  accept: string;
  /**
   * The values of a requested column. `change` transforms them in one call, joined by separators.
   */
  valuesOf(column: Column, change?: (all: string) => string): string[];
  first: string | undefined;
  last: string | undefined;
}

/**
 * The records of a stretch, page by page, oldest first. Each page is a separate query; the next two run while one is
 * being written, so that PostgreSQL and this process work in parallel.
 */
export async function* readPages(
  db: DataDb,
  stretch: Stretch,
  columns: readonly Column[],
): AsyncGenerator<Page> {
  const ahead: Promise<Page | undefined>[] = [];
  /** The start of the next page; undefined at the end. */
  let start: Promise<{ after: string | undefined } | undefined> = Promise.resolve({
    after: stretch.after,
  });
  const readNext = (): void => {
    const present = start;
    const found = present.then((from) => from && findPart(db, { ...stretch, after: from.after }));
    start = found.then((part) => (part?.last === undefined ? undefined : { after: part.last }));
    const page = found.then(async (part) =>
      part ? toPage(await readColumns(db, part, columns)) : undefined,
    );
    // The consumer of the page gets the error; without one, it must not become an unhandled rejection.
    for (const promise of [start, page]) promise.catch(() => undefined);
    ahead.push(page);
  };
  for (let n = 0; n < AHEAD; n += 1) readNext();
  for (let page = await ahead.shift(); page; page = await ahead.shift()) {
    readNext();
    yield page;
  }
}

/** The first part of a stretch, of the length of a page. */
async function findPart(db: DataDb, stretch: Stretch): Promise<Stretch> {
  const { projectId, token, identifier, from, to, after } = stretch;
  // As `findStretchEnd`: the conditions that an index covers limit the number of records.
  const filter = { projectId, from, to, token, ...(token === undefined && { identifier }) };
  const window = { order: "asc", after, limit: bounds.rowsMax, charsMax: bounds.bytesMax } as const;
  const examinedMax = bounds.rowsMax;
  const { rows: archived, through } = await listArchivedIn(db, filter, { ...window, examinedMax });
  const part = { ...stretch, archived };
  const end = await findStretchEnd(db, part, bounds);
  const isNearer = end === undefined || (through !== undefined && through < end);
  return { ...part, last: isNearer ? through : end };
}

function toPage(texts: ColumnTexts): Page {
  const { count, first, last, accept } = texts;
  const valuesOf = (column: Column, change = (all: string) => all): string[] => {
    if (count === 0) return [];
    const values = change(texts[column] ?? "").split(SEPARATOR);
    // A separator within a value would move every value after it to another record.
    if (values.length !== count)
      throw new Error(`${count} records have ${values.length} ${column}`);
    return values;
  };
  return {
    count,
    accept: accept ?? "",
    valuesOf,
    first: first ?? undefined,
    last: last ?? undefined,
  };
}
