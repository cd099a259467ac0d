import { sql } from "kysely";
import type { Db } from "./db.ts";

/** The last complete backup. */
export interface LastBackup {
  /** The time of its data. */
  createdAt: Date;
  endedAt: Date;
  sizeBytes: number;
}

/** Records a complete backup, for the status of the installation. */
export async function recordBackup(db: Db, backup: LastBackup): Promise<void> {
  const { createdAt, endedAt, sizeBytes } = backup;
  await sql`
    UPDATE instance SET backup_created_at = ${createdAt}, backup_ended_at = ${endedAt},
      backup_bytes = ${sizeBytes}`.execute(db);
}

/** Undefined if there was none. A restored installation has that before the one it was restored from. */
export async function findLastBackup(db: Db): Promise<LastBackup | undefined> {
  const { rows } = await sql<{ createdAt: Date; endedAt: Date; sizeBytes: string }>`
    SELECT backup_created_at AS "createdAt", backup_ended_at AS "endedAt", backup_bytes AS "sizeBytes"
    FROM instance WHERE backup_ended_at IS NOT NULL`.execute(db);
  const [row] = rows;
  return row && { ...row, sizeBytes: Number(row.sizeBytes) };
}
