import { type RawBuilder, sql } from "kysely";

/** The hour of a row, from its column `slot` (the start of a quarter of an hour). */
export function hourOf(): RawBuilder<unknown> {
  return sql`date_bin('1 hour', slot, timestamptz '2000-01-01 00:00Z')`;
}

/** The UTC day of such a row. */
export function dayOf(): RawBuilder<unknown> {
  return sql`date_bin('1 day', slot, timestamptz '2000-01-01 00:00Z')`;
}

/** The sums of these columns over a group of rows. */
export function sumsOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.raw(columns.map((column) => `coalesce(sum("${column}"), 0)::integer`).join());
}

/** The sums, and an array of the sums by quarter. */
export function sumsAndQuartersOf(columns: readonly string[]): RawBuilder<unknown> {
  const minute = "extract(minute FROM slot AT TIME ZONE 'UTC')::integer";
  const quarters = columns.map((column) => {
    const each = [0, 1, 2, 3].map(
      (n) => `coalesce(sum("${column}") FILTER (WHERE ${minute} / 15 = ${n}), 0)::integer`,
    );
    return `ARRAY[${each.join()}]`;
  });
  return sql`${sumsOf(columns)}, ARRAY[${sql.raw(quarters.join())}]`;
}

/** Assignments of an upsert that add the `excluded` value of each column to the existing one. */
export function addedTo(table: string, columns: readonly string[]): RawBuilder<unknown> {
  return sql.raw(columns.map((column) => `${column} = ${plus(table, column)}`).join());
}

/** The same assignments, and those of the quarters. */
export function addedQuartersTo(table: string, columns: readonly string[]): RawBuilder<unknown> {
  const quarters = columns.map((_, at) => {
    const each = [1, 2, 3, 4].map((n) => plus(table, `quarters[${at + 1}][${n}]`));
    return `ARRAY[${each.join()}]`;
  });
  return sql`${addedTo(table, columns)}, quarters = ARRAY[${sql.raw(quarters.join())}]`;
}

function plus(table: string, what: string): string {
  return `${table}.${what} + excluded.${what}`;
}

/** The sums of the columns over the quarters of an hour from number `n` (1 to 3) on; `n` is a column of the query. */
export function lateOf(columns: readonly string[], n: string): RawBuilder<unknown> {
  const late = columns.map((column, at) => {
    const each = [1, 2, 3].map(
      (quarter) =>
        `CASE WHEN ${n} <= ${quarter} THEN quarters[${at + 1}][${quarter + 1}] ELSE 0 END`,
    );
    return `sum(${each.join(" + ")})::integer AS ${column}`;
  });
  return sql.raw(late.join());
}
