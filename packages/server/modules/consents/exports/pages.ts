import type { Db } from "../../../platform/db/db.ts";
import {
  type Column,
  type ColumnTexts,
  SEPARATOR,
  type Stretch,
  findStretchEnd,
  readColumns,
} from "./store.ts";

/** Records of one query at most: it has to be short, and what it answers is in memory. */
const bounds = { rowsMax: 1_000, bytesMax: 2 * 1024 * 1024 };
/** Stretches that are read ahead of the one that is being written. */
const AHEAD = 2;

/** A page of records by columns, each value as text; nothing is the empty text. */
export interface Page {
  count: number;
  /** `1` or `0`, a character for each record. */
  accept: string;
  /**
   * The values of a column that was asked for, changed by `change`, which gets all of them at once
   * with separators between.
   */
  valuesOf(column: Column, change?: (all: string) => string): string[];
  first: string | undefined;
  last: string | undefined;
}

/**
 * The records of a stretch, page by page, oldest first. Each page is a query of its own; the next two
 * are under way while one is being written, so that PostgreSQL and this process both work.
 */
export async function* readPages(
  db: Db,
  stretch: Stretch,
  columns: readonly Column[],
): AsyncGenerator<Page> {
  const ahead: Promise<Page | undefined>[] = [];
  /** Where the stretch begins that is read next; undefined when there is none. */
  let start: Promise<{ after: string | undefined } | undefined> = Promise.resolve({
    after: stretch.after,
  });
  const readNext = (): void => {
    const begun = start;
    const found = begun.then(
      (from) => from && findStretchEnd(db, { ...stretch, after: from.after }, bounds),
    );
    start = found.then((last) => (last === undefined ? undefined : { after: last }));
    const page = Promise.all([begun, found]).then(async ([from, last]) =>
      from
        ? toPage(await readColumns(db, { ...stretch, after: from.after, last }, columns))
        : undefined,
    );
    // Whoever waits for the page hears of what failed; nobody may be left to.
    for (const promise of [start, page]) promise.catch(() => undefined);
    ahead.push(page);
  };
  for (let n = 0; n < AHEAD; n += 1) readNext();
  for (let page = await ahead.shift(); page; page = await ahead.shift()) {
    readNext();
    yield page;
  }
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
