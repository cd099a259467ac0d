import { type RawBuilder, sql } from "kysely";

/** Numbers of one hour, of rows with the column `slot`, the beginning of a quarter of an hour. */
export function hourOf(): RawBuilder<unknown> {
  return sql`date_bin('1 hour', slot, timestamptz '2000-01-01 00:00Z')`;
}

/** The sums of these columns over a group of such rows, and an array of what they are by quarter. */
export function sumsOf(columns: readonly string[]): RawBuilder<unknown> {
  const minute = "extract(minute FROM slot AT TIME ZONE 'UTC')::integer";
  const quarters = columns.map((column) => {
    const each = [0, 1, 2, 3].map(
      (n) => `coalesce(sum("${column}") FILTER (WHERE ${minute} / 15 = ${n}), 0)::integer`,
    );
    return `ARRAY[${each.join()}]`;
  });
  const sums = columns.map((column) => `coalesce(sum("${column}"), 0)::integer`);
  return sql.raw(`${sums.join()}, ARRAY[${quarters.join()}]`);
}

/** What an upsert sets: of each of these columns what `table` has and what is `excluded` together. */
export function addedTo(table: string, columns: readonly string[]): RawBuilder<unknown> {
  const plus = (what: string) => `${table}.${what} + excluded.${what}`;
  const quarters = columns.map((_, at) => {
    const each = [1, 2, 3, 4].map((n) => plus(`quarters[${at + 1}][${n}]`));
    return `ARRAY[${each.join()}]`;
  });
  const sums = columns.map((column) => `${column} = ${plus(column)}`);
  return sql.raw(`${sums.join()}, quarters = ARRAY[${quarters.join()}]`);
}

/** What of the columns came in the hour's quarters from number `n` (1 to 3) on, a column of the query. */
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
