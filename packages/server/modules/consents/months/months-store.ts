import { sql } from "kysely";
import { readTableFacts } from "../../../platform/db/buckets/table-facts.ts";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { type ArchivedRow, archivedColumns, typeOf } from "../archive/columns.ts";
import type { ArchivedObject } from "../archive/archive-store.ts";
import type { ArchivedFile } from "../archive/parquet-file.ts";
import type { MonthPartition } from "../records/months-store.ts";

/** A month of a project. */
export interface ProjectMonth extends Omit<MonthPartition, "name"> {
  projectId: string;
}

/** Projects with records in a partition, in the order of ids. Skips from one to the next by the primary key. */
export async function listProjectsIn(db: DataDb, { name }: MonthPartition): Promise<string[]> {
  const table = sql.table(name);
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE p(id) AS (
      SELECT (SELECT min(project_id) FROM ${table})
      UNION ALL SELECT (SELECT min(project_id) FROM ${table} WHERE project_id > p.id) FROM p WHERE p.id IS NOT NULL
    ) SELECT id FROM p WHERE id IS NOT NULL`.execute(db);
  return rows.map(({ id }) => id);
}

/** The state of a month's files. */
export interface MonthFiles {
  keys: string[];
  /** The last id of the files whose records are in `consents`, too. */
  copiedTo: string | null;
  /** Whether files were restored, or erased records are still in them: nothing may be copied yet. */
  isChanging: boolean;
}

export async function findMonthFiles(
  db: DataDb | DataTx,
  { projectId, month, low, high }: ProjectMonth,
): Promise<MonthFiles> {
  const { rows } = await sql<MonthFiles>`
    SELECT coalesce(array_agg(key ORDER BY key), '{}') AS keys,
      max(last_id::text COLLATE "C") FILTER (WHERE moved_at IS NULL) AS "copiedTo",
      coalesce(bool_or(restored_at IS NOT NULL), false) OR EXISTS (
        SELECT FROM archived_erasures e WHERE e.project_id = ${projectId}
          AND e.consent_id >= ${low}::uuid AND e.consent_id < ${high}::uuid) AS "isChanging"
    FROM archived_objects WHERE project_id = ${projectId} AND month = ${month}::date`.execute(db);
  return rows[0] ?? { keys: [], copiedTo: null, isChanging: false };
}

const instant = (name: string) =>
  `to_char(o.${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS ${name}`;
const copied = archivedColumns
  .map((name) => {
    if (name === "answers") return "coalesce(o.answers, d.items)::text AS answers";
    const type = typeOf(name);
    if (type === "timestamptz") return instant(name);
    return type === "json" || type === "uuid" ? `o.${name}::text AS ${name}` : `o.${name}`;
  })
  .join(", ");

/** The next records of a month, each with its answers, and whether the log has it. */
export async function listToCopy(
  db: DataDb,
  { projectId, high }: ProjectMonth,
  { after, limit }: { after: string; limit: number },
): Promise<{ row: ArchivedRow; isLogged: boolean }[]> {
  const { rows } = await sql<ArchivedRow & { is_logged: boolean }>`
    SELECT ${sql.raw(copied)}, EXISTS (
      SELECT FROM consent_salts s WHERE s.consent_id = o.id AND s.project_id = o.project_id) AS is_logged
    FROM (
      SELECT * FROM consents WHERE project_id = ${projectId} AND id > ${after}::uuid AND id < ${high}::uuid
      ORDER BY id LIMIT ${limit}
    ) o LEFT JOIN choices d ON d.project_id = o.project_id AND d.identifier = o.identifier AND d.choice = o.choice
    ORDER BY o.id`.execute(db);
  return rows.map(({ is_logged: isLogged, ...row }) => ({ row: row as ArchivedRow, isLogged }));
}

/** Counts those of these records that exist. */
export async function countExisting(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM unnest(${sql.val([...ids])}::uuid[]) AS k(id)
    WHERE EXISTS (SELECT FROM consents c WHERE c.project_id = ${projectId} AND c.id = k.id)`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/** A file that is stored. */
export interface StoredFile {
  key: string;
  file: Omit<ArchivedFile, "bytes"> & { sizeBytes: number };
}

/** The times of a file: when its records were copied, left `consents`, and came back. */
export interface FileTimes {
  copiedAt: Date;
  movedAt: Date | null;
  restoredAt: Date | null;
}

export async function insertObject(
  tx: DataTx,
  { projectId, month }: Pick<ProjectMonth, "projectId" | "month">,
  { key, file, ...times }: StoredFile & FileTimes,
): Promise<void> {
  await sql`
    INSERT INTO archived_objects (project_id, key, month, first_id, last_id, rows, bytes, sha256,
      footer_bytes, footer_sha256, copied_at, moved_at, restored_at)
    VALUES (${projectId}, ${key}, ${month}::date, ${file.first}, ${file.last}, ${file.rows}, ${file.sizeBytes},
      ${file.sha256}, ${file.footerBytes}, ${file.footerSha256}, ${times.copiedAt}, ${times.movedAt},
      ${times.restoredAt})`.execute(tx);
}

/** A file with its times. */
export type TimedObject = ArchivedObject & FileTimes;

const timedColumns = sql`project_id AS "projectId", key, month, first_id AS first, last_id AS last, rows, bytes, sha256,
  footer_bytes AS "footerBytes", footer_sha256 AS "footerSha256", copied_at AS "copiedAt", moved_at AS "movedAt",
  restored_at AS "restoredAt"`;

/** Locks a file's row; undefined if it does not exist any more. */
export async function lockObject(tx: DataTx, key: string): Promise<TimedObject | undefined> {
  const { rows } = await sql<TimedObject>`
    SELECT ${timedColumns} FROM archived_objects WHERE key = ${key} FOR UPDATE`.execute(tx);
  return rows[0];
}

export async function deleteObjectRow(
  tx: DataTx,
  { projectId, key }: ArchivedObject,
): Promise<void> {
  await sql`
    DELETE FROM archived_objects WHERE project_id = ${projectId} AND key = ${key}`.execute(tx);
}

/** Files whose records are still in `consents`, and were copied before `instant`. */
export async function listCopiedBefore(db: DataDb, instant_: Date): Promise<TimedObject[]> {
  const { rows } = await sql<TimedObject>`
    SELECT ${timedColumns} FROM archived_objects
    WHERE moved_at IS NULL AND restored_at IS NULL AND copied_at <= ${instant_} ORDER BY project_id, first_id`.execute(
    db,
  );
  return rows;
}

/** Files whose records are in `consents` again, since before `instant`. */
export async function listRestoredBefore(db: DataDb, instant_: Date): Promise<TimedObject[]> {
  const { rows } = await sql<TimedObject>`
    SELECT ${timedColumns} FROM archived_objects WHERE restored_at <= ${instant_} ORDER BY key`.execute(
    db,
  );
  return rows;
}

/** The files of a month that are not restored, of all projects. */
export async function listMonthObjects(db: DataDb, month: string): Promise<TimedObject[]> {
  const { rows } = await sql<TimedObject>`
    SELECT ${timedColumns} FROM archived_objects
    WHERE month = ${month}::date AND restored_at IS NULL ORDER BY project_id, first_id`.execute(db);
  return rows;
}

/** Whether one of these files' records was erased, and the file was not yet written again. */
export async function hasErasures(tx: DataTx, object: ArchivedObject): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM archived_erasures WHERE project_id = ${object.projectId} AND forget_after IS NULL
      AND consent_id >= ${object.first}::uuid AND consent_id <= ${object.last}::uuid LIMIT 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Deletes moved records from `consents`; returns their number and their distinct answer combinations. */
export async function deleteMoved(
  tx: DataTx,
  projectId: string,
  ids: readonly string[],
): Promise<{ count: number; choices: { identifier: string; choice: number }[] }> {
  const { rows } = await sql<{ identifier: string; choice: number | null; count: number }>`
    WITH gone AS (
      DELETE FROM consents WHERE project_id = ${projectId} AND id = ANY(${sql.val([...ids])}::uuid[])
      RETURNING identifier, choice
    ) SELECT identifier, choice, count(*) AS count FROM gone GROUP BY identifier, choice`.execute(
    tx,
  );
  const choices = rows.flatMap(({ identifier, choice }) =>
    choice === null ? [] : [{ identifier, choice }],
  );
  return { count: rows.reduce((sum, { count }) => sum + count, 0), choices };
}

export async function updateMoved(tx: DataTx, key: string, movedAt: Date): Promise<void> {
  await sql`UPDATE archived_objects SET moved_at = ${movedAt} WHERE key = ${key}`.execute(tx);
}

export async function updateRestored(tx: DataTx, key: string, restoredAt: Date): Promise<void> {
  await sql`UPDATE archived_objects SET restored_at = ${restoredAt} WHERE key = ${key}`.execute(tx);
}

/** Queues an object for deletion. */
export async function insertGarbage(
  db: DataDb | DataTx,
  { key, deleteAfter }: { key: string; deleteAfter: Date },
): Promise<void> {
  await sql`
    INSERT INTO archive_garbage (key, delete_after) VALUES (${key}, ${deleteAfter})
    ON CONFLICT (key) DO UPDATE SET delete_after = excluded.delete_after`.execute(db);
}

export async function deleteGarbage(db: DataDb | DataTx, key: string): Promise<void> {
  await sql`DELETE FROM archive_garbage WHERE key = ${key}`.execute(db);
}

/** Takes an object back from deletion; false if it is not queued, so that it may be deleted already. */
export async function keepGarbage(tx: DataTx, key: string): Promise<boolean> {
  const { rows } = await sql`
    DELETE FROM archive_garbage WHERE key = ${key} RETURNING 1`.execute(tx);
  return rows.length > 0;
}

export async function listGarbage(db: DataDb, now: Date): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM archive_garbage WHERE delete_after <= ${now} ORDER BY key LIMIT 1000`.execute(
    db,
  );
  return rows.map(({ key }) => key);
}

/** The first project with erasures that its files do not have yet. */
export async function listErasedProjects(db: DataDb): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT project_id AS id FROM archived_erasures WHERE forget_after IS NULL ORDER BY id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The next erased records that the files still may have, in the order of ids. */
export async function listErasures(
  db: DataDb,
  { projectId, after, limit }: { projectId: string; after: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT consent_id AS id FROM archived_erasures
    WHERE project_id = ${projectId} AND forget_after IS NULL AND consent_id > ${after}::uuid
    ORDER BY consent_id LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Marks erasures as done; they are forgotten once no running read uses an older file. */
export async function updateErasures(
  tx: DataTx,
  projectId: string,
  { ids, forgetAfter }: { ids: readonly string[]; forgetAfter: Date },
): Promise<void> {
  await sql`
    UPDATE archived_erasures SET forget_after = ${forgetAfter}
    WHERE project_id = ${projectId} AND consent_id = ANY(${sql.val([...ids])}::uuid[])
      AND forget_after IS NULL`.execute(tx);
}

export async function deleteErasures(db: DataDb, now: Date): Promise<void> {
  await sql`DELETE FROM archived_erasures WHERE forget_after <= ${now}`.execute(db);
}

const definitions = archivedColumns
  .map((name) => {
    const type = typeOf(name);
    return `${name} ${type === "json" || type === "jsonb" ? "text" : type}`;
  })
  .join(", ");
const restored = archivedColumns
  .map((name) => {
    if (name === "choice") return "d.choice";
    if (name === "answers") return "CASE WHEN d.choice IS NULL THEN x.answers::jsonb END";
    return typeOf(name) === "json" ? `x.${name}::json` : `x.${name}`;
  })
  .join(", ");

/**
 * Inserts archived records, without erased ones and those that exist. A combination keeps its number if it still has the
 * same answers; otherwise the record has the answers themselves.
 */
export async function insertRestored(tx: DataTx, rows: readonly ArchivedRow[]): Promise<number> {
  const { numAffectedRows } = await sql`
    WITH r AS MATERIALIZED (
      SELECT ${sql.raw(restored)}
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS x(${sql.raw(definitions)})
      LEFT JOIN choices d ON d.project_id = x.project_id AND d.identifier = x.identifier AND d.choice = x.choice
        AND d.items = x.answers::jsonb
      WHERE NOT EXISTS (SELECT FROM archived_erasures e WHERE e.project_id = x.project_id AND e.consent_id = x.id)
    )
    INSERT INTO consents (${sql.raw(archivedColumns.join(", "))}) SELECT * FROM r ON CONFLICT DO NOTHING`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}

/** Keeps a month in the database until a time. */
export async function insertPause(db: DataDb, { month, until }: { month: string; until: Date }) {
  await sql`
    INSERT INTO archive_pauses (month, until) VALUES (${month}::date, ${until})
    ON CONFLICT (month) DO UPDATE SET until = excluded.until`.execute(db);
}

/** The months that stay in the database for now. */
export async function listPauses(db: DataDb, now: Date): Promise<ReadonlySet<string>> {
  await sql`DELETE FROM archive_pauses WHERE until <= ${now}`.execute(db);
  const { rows } = await sql<{ month: string }>`SELECT month FROM archive_pauses`.execute(db);
  return new Set(rows.map(({ month }) => month));
}

/** Whether an import waits or runs, which may add records to any month. */
export async function hasOpenImports(db: DataDb): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM imports WHERE status NOT IN ('Done', 'Error') LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The number of records of a partition by the statistics of its last vacuum. */
export async function estimateRows(db: DataDb, { name }: MonthPartition): Promise<number> {
  const [facts] = await readTableFacts(db, [name]);
  return facts?.rows ?? 0;
}

/** A month with its archived records. */
export interface ArchivedMonth {
  month: string;
  projects: number;
  objects: number;
  rows: number;
  bytes: number;
  /** Rows that are in the database, too. */
  live: number;
}

export async function listArchivedMonths(db: DataDb): Promise<ArchivedMonth[]> {
  const { rows } = await sql<ArchivedMonth>`
    SELECT month, count(DISTINCT project_id) AS projects, count(*) AS objects, sum(rows)::float8 AS rows,
      sum(bytes)::float8 AS bytes,
      coalesce(sum(rows) FILTER (WHERE moved_at IS NULL OR restored_at IS NOT NULL), 0)::float8 AS live
    FROM archived_objects GROUP BY month ORDER BY month`.execute(db);
  return rows;
}

/** All files, for checks and backups. */
export async function listArchivedFiles(
  db: DataDb,
  bucket?: string,
): Promise<{ key: string; bytes: number; month: string }[]> {
  const { rows } = await sql<{ key: string; bytes: number; month: string }>`
    SELECT key, bytes, month FROM ${sql.table(bucket === undefined ? "archived_objects" : `${bucket}.archived_objects`)} ORDER BY key`.execute(
    db,
  );
  return rows;
}
