import { inTransaction } from "../../../platform/db/transaction.ts";
import { monthsBefore } from "../states/validity.ts";
import { lockRebuilding } from "../states/rebuild-store.ts";
import { type ArchivedFile, openFileWriter } from "../archive/parquet-file.ts";
import { type MonthPartition, listMonthPartitions } from "../records/months-store.ts";
import { type MonthsApp, assertSame, keepFile, openRowsHash, readIds, storeFile } from "./files.ts";
import {
  type MonthFiles,
  type ProjectMonth,
  countExisting,
  findMonthFiles,
  insertObject,
  listPauses,
  listProjectsIn,
  listToCopy,
} from "./months-store.ts";

/** Records of a query. */
const PAGE = 2_000;

/** The partitions whose months ended `afterMonths` ago or earlier, without restored ones; none with 0. */
export async function listDueMonths({
  data,
  now,
  afterMonths,
}: Pick<MonthsApp, "data" | "now" | "afterMonths">): Promise<MonthPartition[]> {
  if (afterMonths === 0) return [];
  const due = monthsBefore(now(), afterMonths).toISOString().slice(0, 7);
  const pauses = await listPauses(data, now());
  const months = await listMonthPartitions(data);
  // The month of that day has ended fewer months ago.
  return months.filter(({ month }) => month.slice(0, 7) < due && !pauses.has(month));
}

/**
 * Copies the records of all due months to files, which readers use from then on beside `consents`. A stopped run is
 * resumed by the next one. `onFile` runs after each file.
 */
export async function copyDueMonths(
  app: MonthsApp,
  signal: AbortSignal,
  onFile: () => Promise<void>,
): Promise<void> {
  for (const partition of await listDueMonths(app))
    for (const projectId of await listProjectsIn(app.data, partition)) {
      const { month, low, high } = partition;
      let more = true;
      while (more && !signal.aborted) {
        more = await copyFile(app, { projectId, month, low, high });
        await onFile();
      }
    }
}

/** Copies the next records of a month to one file; false if there are none that can be copied now. */
async function copyFile(app: MonthsApp, of: ProjectMonth): Promise<boolean> {
  const before = await findMonthFiles(app.data, of);
  if (before.isChanging) return false;
  // The lower bound of a month is no UUID of any version.
  const after = before.copiedTo ?? of.low;
  const file = await writeFile(app, of, after);
  if (!file) return false;
  const stored = await storeFile(app, of, file);
  return inTransaction(app.data, async (tx) => {
    // Erasures wait, and find the file's row afterwards.
    await lockRebuilding(tx, of.projectId);
    if (!isSame(await findMonthFiles(tx, of), before)) return false;
    for await (const ids of readIds(file.bytes, file.footerBytes))
      // An erasure in the meantime: the file must not have the record.
      if ((await countExisting(tx, of.projectId, ids)) < ids.length) return true;
    await keepFile(tx, stored);
    const times = { copiedAt: app.now(), movedAt: null, restoredAt: null };
    await insertObject(tx, of, { ...stored, ...times });
    const { projectId, month } = of;
    const { rows, bytes } = { rows: file.rows, bytes: file.bytes.length };
    app.log.info({ projectId, month, rows, bytes, key: stored.key }, "records archived");
    return true;
  });
}

function isSame(a: MonthFiles, b: MonthFiles): boolean {
  return !a.isChanging && a.keys.join() === b.keys.join();
}

/** Writes the records after an id to a file, in memory; undefined if there are none that the log has. */
async function writeFile(
  { data, log }: MonthsApp,
  of: ProjectMonth,
  first: string,
): Promise<ArchivedFile | undefined> {
  const writer = openFileWriter();
  const written = openRowsHash();
  let isLogged = true;
  for (let after = first; isLogged && !writer.isFull();) {
    const page = await listToCopy(data, of, { after, limit: PAGE });
    for (const { row, isLogged: isIn } of page) {
      isLogged = isIn;
      if (!isLogged) {
        const { projectId, month } = of;
        log.warn({ projectId, month, consentId: row.id }, "record not archived: not in the log");
        break;
      }
      writer.add(row);
      written.add(row);
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.row.id;
  }
  if (writer.rows === 0) return undefined;
  const file = writer.end();
  await assertSame(file, written.digest());
  return file;
}
