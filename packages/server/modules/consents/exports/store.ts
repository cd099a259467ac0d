import { type RawBuilder, type Selectable, sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { ExportsTable } from "../../../platform/db/tables-data.ts";
import { type ColumnName, columnNames, columns } from "../records/row.ts";
import { type ArchivedRow, consentsWith } from "../archive/archived.ts";
import type { ConsentsFilter } from "../records/store.ts";

export type ExportRow = Selectable<ExportsTable>;

/** Records of a project in the order of ids, after `after`, up to `last` (inclusive). */
export interface Stretch extends ConsentsFilter {
  /** Archived records of the stretch, or of its beginning up to `last`. */
  archived?: readonly ArchivedRow[];
  after: string | undefined;
  /** Undefined: up to the end of the filter. */
  last?: string | undefined;
}

/** Separator of the values of a column. No value contains it: JSON and URLs cannot. */
export const SEPARATOR = "\x1e";

/** An exported column of `consents`, except `accept`, which is read separately. */
export type Column = Exclude<
  {
    [Name in ColumnName]: (typeof columns)[Name]["exported"] extends string ? Name : never;
  }[ColumnName],
  "accept"
>;
export const exportedColumns = columnNames.filter(
  (name): name is Column => columns[name].exported !== undefined && name !== "accept",
);

/** A column as text: instants in milliseconds since 1970, NULL as the empty text. */
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

/** The columns of a stretch, each joined to one text. */
export type ColumnTexts = Partial<Record<Column, string | null>> & {
  count: number;
  first: string | null;
  last: string | null;
  /** `1` or `0`, one character per record. */
  accept: string | null;
};

/**
 * Reads whole columns, which takes PostgreSQL and Node a third of the time of reading rows. The stretch must be
 * short; see `findStretchEnd`.
 */
export async function readColumns(
  db: DataDb,
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
      SELECT * FROM ${consentsWith(stretch.archived ?? [])} c
      WHERE ${ofStretch(stretch)} ORDER BY id
    ) r
  `.execute(db);
  const [row] = rows;
  if (!row) throw new Error("an aggregate returned no row");
  return row;
}

/**
 * The last id of a short stretch after `after`: at most `rowsMax` records found by an index, and at most `bytesMax` of
 * preferences and values plus one record. Undefined if the rest is shorter. Sizes are found without reading values that
 * are stored out of line.
 */
export async function findStretchEnd(
  db: DataDb,
  stretch: Stretch,
  { rowsMax, bytesMax }: { rowsMax: number; bytesMax: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM (
      SELECT id, row_number() OVER (ORDER BY id) AS n,
        sum(size) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes
      FROM (
        SELECT id, coalesce(octet_length(preferences::text), 0) + coalesce(octet_length(value::text), 0) AS size
        FROM ${consentsWith(stretch.archived ?? [])} c
        WHERE ${indexed(stretch)} ORDER BY id LIMIT ${rowsMax}
      ) r
    ) w
    WHERE n = ${rowsMax} OR bytes >= ${bytesMax} ORDER BY id LIMIT 1
  `.execute(db);
  return rows[0]?.id;
}

/** All conditions of a stretch, on the table `consents`. */
export function ofStretch(stretch: Stretch): RawBuilder<unknown> {
  const { last, collection, identifier, accept } = stretch;
  const conditions = [indexed(stretch)];
  if (last !== undefined) conditions.push(sql`id <= ${last}`);
  if (collection !== undefined) conditions.push(sql`collection = ${collection}`);
  if (identifier !== undefined) conditions.push(sql`identifier = ${identifier}`);
  if (accept !== undefined) conditions.push(sql`accept = ${accept}`);
  return sql.join(conditions, sql` AND `);
}

/** The conditions that an index covers, so that the number of rows to read is bounded. */
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

/** Inserts an export, and deletes the oldest ones of the project beyond `keptMax`. */
export async function insertExport(tx: DataTx, row: NewExport, keptMax: number): Promise<void> {
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

/** Stores the progress of an export. */
export async function updateExport(
  db: DataDb | DataTx,
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
  db: DataDb,
  { projectId, id }: { projectId: string; id: string },
): Promise<ExportRow | undefined> {
  return db
    .selectFrom("exports")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Deletes exports that started before `instant`. */
export async function deleteExportsBefore(db: DataDb, instant: Date): Promise<void> {
  await db.deleteFrom("exports").where("created_at", "<", instant).execute();
}
