import { inTransaction } from "../../../platform/db/transaction.ts";
import type { ArchivedRow } from "../archive/columns.ts";
import { parseFile } from "../archive/parquet-file.ts";
import { archiveOf } from "../archive/reader.ts";
import { createMonthPartitions } from "../records/months-store.ts";
import { lockRebuilding } from "../states/rebuild-store.ts";
import type { MonthsApp } from "./files.ts";
import {
  type TimedObject,
  insertPause,
  insertRestored,
  listMonthObjects,
  lockObject,
  updateRestored,
} from "./months-store.ts";

/** Records of a statement. */
const PAGE = 2_000;

/** The progress of a restore. */
export interface RestoreProgress {
  objects: number;
  rows: number;
  /** Totals of the month. */
  ofObjects: number;
  ofRows: number;
}

/**
 * Copies the records of an archived month back into the database, where they stay until `until`. Reads continue. A stopped
 * restore can be run again. The files are deleted by the service once no running read uses them.
 * @param month its first day, such as `2024-03-01`
 * @throws ArchiveError for a missing or damaged file: the others before it are restored
 */
export async function restoreMonth(
  app: Pick<MonthsApp, "data" | "now">,
  month: string,
  {
    until,
    onProgress,
    signal,
  }: { until: Date; onProgress?: (progress: RestoreProgress) => void; signal?: AbortSignal },
): Promise<RestoreProgress> {
  await insertPause(app.data, { month, until });
  const start = new Date(`${month}T00:00:00Z`);
  await createMonthPartitions(app.data, start, start);
  const objects = await listMonthObjects(app.data, month);
  const ofRows = objects.reduce((sum, { rows }) => sum + rows, 0);
  const progress = { objects: 0, rows: 0, ofObjects: objects.length, ofRows };
  for (const object of objects) {
    signal?.throwIfAborted();
    progress.rows += await restoreFile(app, object);
    progress.objects += 1;
    onProgress?.(progress);
  }
  return progress;
}

/** Inserts the records of a file in one transaction; returns their number. */
async function restoreFile(
  { data, now }: Pick<MonthsApp, "data" | "now">,
  object: TimedObject,
): Promise<number> {
  const bytes = await archiveOf(data).readFile(object);
  return inTransaction(data, async (tx) => {
    // Erasures wait, and find the records in `consents` afterwards.
    await lockRebuilding(tx, object.projectId);
    const present = await lockObject(tx, object.key);
    if (!present || present.restoredAt) return 0;
    let count = 0;
    let rows: ArchivedRow[] = [];
    for await (const row of parseFile(bytes, object.footerBytes)) {
      rows.push(row);
      if (rows.length < PAGE) continue;
      count += await insertRestored(tx, rows);
      rows = [];
    }
    if (rows.length > 0) count += await insertRestored(tx, rows);
    await updateRestored(tx, object.key, now());
    return count;
  });
}
