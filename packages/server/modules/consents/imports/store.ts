import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";

export const statuses = ["Pending", "Active", "Done", "Error"] as const;
type ImportStatus = (typeof statuses)[number];

export interface ImportRow {
  project_id: string;
  id: string;
  status: ImportStatus;
  format: string;
  dry_run: boolean;
  size: number;
  sha256: string;
  position: number;
  line: number;
  refused_bytes: number;
  read: number;
  imported: number;
  known: number;
  refused: number;
  message: string | null;
  created_at: Date;
  created_by: string;
  started_at: Date | null;
  updated_at: Date;
  ended_at: Date | null;
}

export interface ImportKey {
  projectId: string;
  id: string;
}

const running = sql`('Pending', 'Active')`;

/** Serializes requests for imports of one project until the transaction ends. */
export async function lockImports(tx: DataTx, projectId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`imports:${projectId}`}, 0))`.execute(
    tx,
  );
}

export async function countRunning(db: DataDb | DataTx, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM imports
    WHERE project_id = ${projectId} AND status IN ${running}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Disk space of imports in bytes: waiting and running files, and lists of rejected lines. */
export interface StoredBytes {
  own: number;
  all: number;
}

/** Sums the space of all imports, and of those requested by one user. */
export async function sumStored(db: DataDb | DataTx, createdBy: string): Promise<StoredBytes> {
  const { rows } = await sql<StoredBytes>`
    SELECT coalesce(sum(bytes), 0)::bigint AS "all",
      coalesce(sum(bytes) FILTER (WHERE created_by = ${createdBy}), 0)::bigint AS own
    FROM (
      SELECT created_by, refused_bytes + CASE WHEN status IN ${running} THEN size ELSE 0 END AS bytes
      FROM imports WHERE status IN ${running} OR refused_bytes > 0) AS stored`.execute(db);
  return rows[0] ?? { own: 0, all: 0 };
}

export type NewImport = Pick<
  ImportRow,
  | "project_id"
  | "id"
  | "status"
  | "format"
  | "dry_run"
  | "size"
  | "sha256"
  | "created_at"
  | "created_by"
>;

export async function insertImport(tx: DataTx, row: NewImport): Promise<ImportRow> {
  const { rows } = await sql<ImportRow>`
    INSERT INTO imports (project_id, id, status, format, dry_run, size, sha256, created_at, created_by, updated_at)
    VALUES (${row.project_id}, ${row.id}, ${row.status}, ${row.format}, ${row.dry_run}, ${row.size},
      ${row.sha256}, ${row.created_at}, ${row.created_by}, ${row.created_at})
    RETURNING *`.execute(tx);
  const [inserted] = rows;
  if (!inserted) throw new Error("an import was not inserted");
  return inserted;
}

export async function findImport(
  db: DataDb | DataTx,
  { projectId, id }: ImportKey,
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    SELECT * FROM imports WHERE project_id = ${projectId} AND id = ${id}`.execute(db);
  return rows[0];
}

export async function lockImport(
  tx: DataTx,
  { projectId, id }: ImportKey,
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    SELECT * FROM imports WHERE project_id = ${projectId} AND id = ${id} FOR UPDATE`.execute(tx);
  return rows[0];
}

/** Imports of a project, newest first. */
export async function listImportRows(
  db: DataDb,
  { projectId, before, limit }: { projectId: string; before: string | undefined; limit: number },
): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    SELECT * FROM imports
    WHERE project_id = ${projectId} AND (${before ?? null}::text IS NULL OR id < ${before ?? null})
    ORDER BY id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

/** Columns that change with each part of the file. */
export type Progress = Pick<
  ImportRow,
  "position" | "line" | "refused_bytes" | "read" | "imported" | "known" | "refused"
>;

/** Marks an import as started; false when it has ended. */
export async function updateStarted(
  tx: DataTx,
  { projectId, id }: ImportKey,
  now: Date,
): Promise<boolean> {
  const result = await sql`
    UPDATE imports SET status = 'Active', started_at = coalesce(started_at, ${now}), updated_at = ${now}
    WHERE project_id = ${projectId} AND id = ${id} AND status IN ${running}`.execute(tx);
  return (result.numAffectedRows ?? 0n) > 0n;
}

/**
 * Writes the progress of an import that is still at position `from`; false when it has ended or
 * another worker wrote this part.
 */
export async function updateProgress(
  tx: DataTx,
  { projectId, id }: ImportKey,
  { from, now, ...to }: Progress & { from: number; now: Date },
): Promise<boolean> {
  const result = await sql`
    UPDATE imports SET position = ${to.position}, line = ${to.line}, refused_bytes = ${to.refused_bytes},
      read = ${to.read}, imported = ${to.imported}, known = ${to.known}, refused = ${to.refused},
      updated_at = ${now}
    WHERE project_id = ${projectId} AND id = ${id} AND status = 'Active' AND position = ${from}`.execute(
    tx,
  );
  return (result.numAffectedRows ?? 0n) > 0n;
}

/** Ends a running import; undefined when it has ended already. */
export async function updateEnded(
  tx: DataTx,
  { projectId, id }: ImportKey,
  { status, message, now }: { status: "Done" | "Error"; message: string | null; now: Date },
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`
    UPDATE imports SET status = ${status}, message = ${message}, ended_at = ${now}, updated_at = ${now},
      position = CASE WHEN ${status} = 'Done' THEN size ELSE position END
    WHERE project_id = ${projectId} AND id = ${id} AND status IN ${running}
    RETURNING *`.execute(tx);
  return rows[0];
}

/** Claims running imports not updated since `before`, oldest first, by updating them. */
export async function updateStaleImports(
  tx: DataTx,
  { before, now, max }: { before: Date; now: Date; max: number },
): Promise<ImportKey[]> {
  const { rows } = await sql<ImportKey>`
    UPDATE imports SET updated_at = ${now} WHERE (project_id, id) IN (
      SELECT project_id, id FROM imports WHERE status IN ${running} AND updated_at <= ${before}
      ORDER BY updated_at LIMIT ${max} FOR UPDATE SKIP LOCKED)
    RETURNING project_id AS "projectId", id`.execute(tx);
  return rows;
}

/** Whether an import still needs its upload or rejected lines. */
export interface NeededImport extends ImportKey {
  isRunning: boolean;
  hasRejected: boolean;
  endedAt: Date | null;
}

/** The imports with these ids. */
export async function listNeeded(db: DataDb, ids: readonly string[]): Promise<NeededImport[]> {
  const { rows } = await sql<NeededImport>`
    SELECT project_id AS "projectId", id, status IN ${running} AS "isRunning", refused_bytes > 0 AS "hasRejected", ended_at AS "endedAt"
    FROM imports WHERE id = ANY(${sql.val([...ids])}::text[])`.execute(db);
  return rows;
}

/** Records that the rejected lines of an import were removed. */
export async function updateRejectedRemoved(
  db: DataDb | DataTx,
  { projectId, id }: ImportKey,
): Promise<void> {
  await sql`
    UPDATE imports SET refused_bytes = 0 WHERE project_id = ${projectId} AND id = ${id}`.execute(
    db,
  );
}
