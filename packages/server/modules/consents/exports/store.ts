import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { ExportsTable } from "../../../platform/db/tables.ts";
import { type ColumnName, columnNames, columns } from "../records/row.ts";
import type { ConsentsFilter } from "../records/store.ts";

export type ExportRow = Selectable<ExportsTable>;

/** Records of one project in the order of their ids: after `after`, up to and including `last`. */
export interface Stretch extends ConsentsFilter {
  after: string | undefined;
  /** Undefined: to the end of the filter. */
  last?: string | undefined;
}

/** The separator between the values of a column: no value holds it, since JSON and addresses cannot. */
export const SEPARATOR = "\x1e";

/** A column of `consents` that is exported; `accept` is read beside them. */
export type Column = Exclude<
  {
    [Name in ColumnName]: (typeof columns)[Name]["exported"] extends string ? Name : never;
  }[ColumnName],
  "accept"
>;
export const exportedColumns = columnNames.filter(
  (name): name is Column => columns[name].exported !== undefined && name !== "accept",
);

/** A column as text without a separator in it: instants in milliseconds since 1970, NULL as the empty text. */
function toTexts(name: Column): RawBuilder<unknown> {
  const { type, isOptional } = columns[name];
  if (name === "grade")
    return sql`coalesce(grade, CASE WHEN import_id IS NULL THEN 'browser' ELSE 'imported' END)`;
  const column = sql.ref(name);
  const text =
    type === "timestamptz"
      ? sql`(date_part('epoch', ${column}) * 1000)::bigint::text`
      : sql`${column}::text`;
  return isOptional ? sql`coalesce(${text}, '')` : text;
}

/** The columns of a stretch, each as one text. */
export type ColumnTexts = Partial<Record<Column, string | null>> & {
  count: number;
  first: string | null;
  last: string | null;
  /** For each record `1` or `0`. */
  accept: string | null;
};

/**
 * Reads whole columns: for PostgreSQL and for Node a third of the work of reading rows. A stretch has
 * to be short: `findStretchEnd` bounds it.
 */
export async function readColumns(
  db: Db,
  stretch: Stretch,
  names: readonly Column[],
): Promise<ColumnTexts> {
  const texts = names.map(
    (name) => sql`string_agg(${toTexts(name)}, ${SEPARATOR}) AS ${sql.id(name)}`,
  );
  const { rows } = await sql<ColumnTexts>`
    SELECT ${sql.join(texts)}, string_agg(CASE WHEN accept THEN '1' ELSE '0' END, '') AS accept,
      count(*) AS count, (array_agg(id))[1] AS first, (array_agg(id))[count(*)] AS last
    FROM (
      SELECT * FROM consents
      WHERE ${ofStretch(stretch)} ORDER BY id
    ) r
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an aggregate answered no row");
  return row;
}

/**
 * The id at which a stretch ends that begins after `after`: it has at most `rowsMax` records by an
 * index, and `bytesMax` of preferences and values or one record more. Undefined when the rest is no
 * longer than that. Sizes are looked up without reading what is stored out of line.
 */
export async function findStretchEnd(
  db: Db,
  stretch: Stretch,
  { rowsMax, bytesMax }: { rowsMax: number; bytesMax: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS n,
        sum(size) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (
        SELECT id, coalesce(octet_length(preferences::text), 0) + coalesce(octet_length(value::text), 0) AS size
        FROM consents WHERE ${indexed(stretch)} ORDER BY id LIMIT ${rowsMax}
      ) r
    ) w
    WHERE n = ${rowsMax} OR bytes >= ${bytesMax} ORDER BY id LIMIT 1
  `.execute(db);
  return rows[0]?.id;
}

/** Every condition of a stretch, of the table `consents`. */
export function ofStretch(stretch: Stretch): RawBuilder<unknown> {
  const { last, collection, identifier, accept } = stretch;
  const conditions = [indexed(stretch)];
  if (last !== undefined) conditions.push(sql`id <= ${last}`);
  if (collection !== undefined) conditions.push(sql`collection = ${collection}`);
  if (identifier !== undefined) conditions.push(sql`identifier = ${identifier}`);
  if (accept !== undefined) conditions.push(sql`accept = ${accept}`);
  return sql.join(conditions, sql` AND `);
}

/** The conditions that an index finds: the others would make a stretch of unknown length. */
function indexed({ projectId, from, to, after, token, identifier }: Stretch): RawBuilder<unknown> {
  const conditions = [sql`project_id = ${projectId}`];
  if (from !== undefined) conditions.push(sql`id >= ${from}`);
  if (to !== undefined) conditions.push(sql`id < ${to}`);
  if (after !== undefined) conditions.push(sql`id > ${after}`);
  if (token !== undefined) conditions.push(sql`token = ${token}`);
  else if (identifier !== undefined) conditions.push(sql`identifier = ${identifier}`);
  return sql.join(conditions, sql` AND `);
}

export type NewExport = Omit<ExportRow, "filters" | "stretches" | "ended_at"> & {
  filters: object;
};

/** Keeps an export that begins; beyond `keptMax` of its project the oldest are forgotten. */
export async function insertExport(tx: Tx, row: NewExport, keptMax: number): Promise<void> {
  const values = { ...row, filters: JSON.stringify(row.filters), stretches: "[]" };
  await tx.insertInto("exports").values(values).execute();
  await sql`
    DELETE FROM exports WHERE project_id = ${row.project_id} AND id IN (
      SELECT id FROM exports WHERE project_id = ${row.project_id}
      ORDER BY created_at DESC, id DESC OFFSET ${keptMax})
  `.execute(tx);
}

export type ExportChange = Partial<
  Pick<
    ExportRow,
    "state" | "to_id" | "first_id" | "last_id" | "count" | "size" | "sha256" | "ended_at"
  >
> & { stretches?: object };

/** Keeps how far an export has come. */
export async function updateExport(
  db: Db | Tx,
  { projectId, id }: { projectId: string; id: string },
  { stretches, ...change }: ExportChange,
): Promise<void> {
  await db
    .updateTable("exports")
    .set(stretches === undefined ? change : { ...change, stretches: JSON.stringify(stretches) })
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .execute();
}

export async function findExport(
  db: Db,
  { projectId, id }: { projectId: string; id: string },
): Promise<ExportRow | undefined> {
  return db
    .selectFrom("exports")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Forgets exports that began before `instant`. */
export async function deleteExportsBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom("exports").where("created_at", "<", instant).execute();
}
