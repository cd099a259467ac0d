import { type RawBuilder, type Selectable, sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import type { ConsentsTable } from "../../../platform/db/tables-data.ts";
import { type ArchivedRow, archivedColumns, typeOf } from "./columns.ts";
import type { FilePlace } from "./reader.ts";

/** A file with the range of its ids. */
export interface ArchivedObject extends FilePlace {
  /** The first day of the month. */
  month: string;
  first: string;
  last: string;
}

const objectColumns = sql`o.project_id AS "projectId", o.key, o.month, o.first_id AS first, o.last_id AS last,
  o.rows, o.bytes, o.sha256, o.footer_bytes AS "footerBytes", o.footer_sha256 AS "footerSha256"`;

/** The first day of the month (UTC) of an id: the month whose partition it belongs to. */
function monthOfId(id: string): string {
  const time = new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
  // Random ids may have any time.
  return time.getUTCFullYear() > 9_999 ? "9999-12-01" : `${time.toISOString().slice(0, 7)}-01`;
}

export interface RecordKey {
  projectId: string;
  id: string;
}

/** The keys as a table `k`. */
function toTable(keys: readonly RecordKey[]): RawBuilder<unknown> {
  return sql`unnest(${sql.val(keys.map(({ projectId }) => projectId))}::text[],
    ${sql.val(keys.map(({ id }) => id))}::uuid[],
    ${sql.val(keys.map(({ id }) => monthOfId(id)))}::date[]) AS k(project_id, id, month)`;
}

const isCovering = sql`o.project_id = k.project_id AND o.month = k.month AND o.first_id <= k.id
  AND o.last_id >= k.id`;

/** The files that may have one of these records. */
export async function listObjectsOf(
  db: DataDb | DataTx,
  keys: readonly RecordKey[],
): Promise<ArchivedObject[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql<ArchivedObject>`
    SELECT DISTINCT ${objectColumns} FROM ${toTable(keys)} CROSS JOIN LATERAL (
      SELECT * FROM archived_objects o WHERE ${isCovering} OFFSET 0) o ORDER BY first`.execute(db);
  return rows;
}

/** Those of these records that were erased since their file was written. */
export async function listErased(
  db: DataDb | DataTx,
  keys: readonly RecordKey[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ projectId: string; id: string }>`
    SELECT e.project_id AS "projectId", e.consent_id AS id FROM ${toTable(keys)}
    JOIN archived_erasures e ON e.project_id = k.project_id AND e.consent_id = k.id`.execute(db);
  return new Set(rows.map(toKeyText));
}

export function toKeyText({ projectId, id }: RecordKey): string {
  return `${projectId} ${id}`;
}

/** Bounds of a project's ids, inclusive. */
export interface ObjectBounds {
  projectId: string;
  low?: string | undefined;
  high?: string | undefined;
  /** Only files with records that were copied at this time or later. */
  copiedFrom?: Date | undefined;
}

function isWithin({ projectId, low, high, copiedFrom }: ObjectBounds): RawBuilder<unknown> {
  const conditions = [sql`o.project_id = ${projectId}`];
  if (low !== undefined)
    conditions.push(sql`o.month >= ${monthOfId(low)}::date AND o.last_id >= ${low}::uuid`);
  if (high !== undefined)
    conditions.push(sql`o.month <= ${monthOfId(high)}::date AND o.first_id <= ${high}::uuid`);
  if (copiedFrom !== undefined) conditions.push(sql`o.copied_at >= ${copiedFrom}`);
  return sql.join(conditions, sql` AND `);
}

/** The files of a range, in the order of their first ids or, descending, their last ids. */
export async function listObjectsIn(
  db: DataDb | DataTx,
  bounds: ObjectBounds,
  order: "asc" | "desc",
): Promise<ArchivedObject[]> {
  const by = order === "asc" ? sql`o.month, o.first_id` : sql`o.month DESC, o.last_id DESC`;
  const { rows } = await sql<ArchivedObject>`
    SELECT ${objectColumns} FROM archived_objects o WHERE ${isWithin(bounds)} ORDER BY ${by}`.execute(
    db,
  );
  return rows;
}

export async function hasArchived(db: DataDb | DataTx, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM archived_objects WHERE project_id = ${projectId} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/**
 * The number of archived records of a range that are not in `consents`. Not exact if `isPartial`: a file reaches beyond
 * the range.
 */
export async function countMoved(
  db: DataDb | DataTx,
  bounds: ObjectBounds,
): Promise<{ count: number; isPartial: boolean }> {
  const { projectId, low, high } = bounds;
  const isIn = (id: RawBuilder<unknown>) => sql`
    ${low === undefined ? sql`true` : sql`${id} >= ${low}::uuid`} AND
    ${high === undefined ? sql`true` : sql`${id} < ${high}::uuid`}`;
  const { rows } = await sql<{ count: number; isPartial: boolean }>`
    SELECT coalesce(sum(o.rows), 0) - (
        SELECT count(*) FROM archived_erasures e WHERE e.project_id = ${projectId} AND NOT e.was_live
          AND e.forget_after IS NULL AND ${isIn(sql`e.consent_id`)}
      ) AS count,
      coalesce(bool_or(NOT (${isIn(sql`o.first_id`)} AND ${isIn(sql`o.last_id`)})), false) AS "isPartial"
    FROM archived_objects o
    WHERE ${isWithin(bounds)} AND o.moved_at IS NOT NULL AND o.restored_at IS NULL`.execute(db);
  return { count: rows[0]?.count ?? 0, isPartial: rows[0]?.isPartial ?? false };
}

/** A text that changes when records of a project move between `consents` and files; undefined without files. */
export async function findMoves(
  db: DataDb | DataTx,
  projectId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ moves: string | null }>`
    SELECT string_agg(concat(key, moved_at, restored_at), ' ' ORDER BY key) AS moves
    FROM archived_objects WHERE project_id = ${projectId}`.execute(db);
  return rows[0]?.moves ?? undefined;
}

/** Counts those of these records that are not in `consents`. */
export async function countNotLive(
  db: DataDb | DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id)
    WHERE NOT EXISTS (SELECT FROM consents c WHERE c.project_id = ${projectId} AND c.id = k.id)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** The keys of the records of these tokens, of all configurations, which each have a present or past state. */
export async function listKeysOfTokens(
  db: DataDb | DataTx,
  projectId: string,
  tokens: readonly string[],
): Promise<RecordKey[]> {
  const of = (table: string) => sql`
    SELECT s.consent_id AS id FROM k CROSS JOIN LATERAL (
      SELECT consent_id FROM ${sql.table(table)} t
      WHERE t.project_id = ${projectId} AND t.token = k.token OFFSET 0) s`;
  const { rows } = await sql<{ id: string }>`
    WITH k AS MATERIALIZED (SELECT unnest(${sql.val([...tokens])}::text[]) AS token)
    ${of("consent_states")} UNION ${of("past_states")}`.execute(db);
  return rows.map(({ id }) => ({ projectId, id }));
}

/**
 * Erases these records from archived months: reads leave them out from now on, and a job writes their files again without
 * them. Returns those that are in no other place.
 */
export async function eraseArchived(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; wasLive: boolean }>`
    INSERT INTO archived_erasures AS e (project_id, consent_id, was_live)
    SELECT DISTINCT k.project_id, k.id, k.is_live
    FROM (
      SELECT *, EXISTS (SELECT FROM consents c WHERE c.project_id = ${projectId} AND c.id = k.id) AS is_live
      FROM ${toTable(ids.map((id) => ({ projectId, id })))}
    ) k CROSS JOIN LATERAL (
      SELECT FROM archived_objects o WHERE ${isCovering}
        AND (NOT k.is_live OR o.moved_at IS NULL OR o.restored_at IS NOT NULL) LIMIT 1
    ) o
    ON CONFLICT (project_id, consent_id) DO NOTHING
    RETURNING consent_id AS id, was_live AS "wasLive"`.execute(tx);
  return rows.filter(({ wasLive }) => !wasLive).map(({ id }) => id);
}

const types = { uuid: "uuid", integer: "integer", boolean: "boolean", timestamptz: "timestamptz" };
const texts = new Set(["project_id", "token", "collection", "identifier", "import_id"]);
/** The column definitions of archived rows as JSON; the collations are those of `consents`. */
const definitions = archivedColumns
  .map((name) => {
    const type = typeOf(name);
    const given = type in types ? types[type as keyof typeof types] : "text";
    return `${name} ${given}${texts.has(name) ? ' COLLATE "C"' : ""}`;
  })
  .join(", ");
const cells = archivedColumns
  .map((name) => {
    const type = typeOf(name);
    // The answers are in the row, whether or not their combination still has a number.
    if (name === "choice") return "NULL::integer AS choice";
    return type === "json" || type === "jsonb" ? `x.${name}::${type}` : `x.${name}`;
  })
  .join(", ");

/**
 * The table `consents` with archived records. A record that is in both is returned once. The answers of an archived record
 * are in `answers`.
 */
export function consentsWith(rows: readonly ArchivedRow[]): RawBuilder<Selectable<ConsentsTable>> {
  if (rows.length === 0) return sql`consents`;
  return sql`(
    SELECT ${sql.raw(archivedColumns.join(", "))} FROM consents
    UNION ALL
    SELECT ${sql.raw(cells)} FROM json_to_recordset(${JSON.stringify(rows)}::json) AS x(${sql.raw(definitions)})
    WHERE NOT EXISTS (SELECT FROM consents c WHERE c.project_id = x.project_id AND c.id = x.id)
  )`;
}
