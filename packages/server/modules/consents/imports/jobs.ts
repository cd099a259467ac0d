import { forEachBucket, tryEachBucket } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { IMPORT_QUEUE, type Importing, sendImport } from "./imports.ts";
import { runImport } from "./run.ts";
import {
  type ImportKey,
  type NeededImport,
  listNeeded,
  updateRejectedRemoved,
  updateStaleImports,
} from "./store.ts";

const RESUMED_MAX = 1_000;
/** A running import without progress for this long is queued again. */
const STALE_MS = 10 * 60_000;
/** Age at which an upload without an import is removed; its request may still be running before. */
const ORPHANED_MS = 24 * 3_600_000;
/** Retention period of rejected lines: they hold personal data. */
const REJECTED_MS = 30 * 86_400_000;

/**
 * Runs queued imports one at a time, and resumes those that an earlier process left. On disposal,
 * the running import is queued again for the next process.
 */
export async function startImportJobs(app: Importing): Promise<Disposable> {
  const stopping = new AbortController();
  await app.jobs.workQueue<ImportKey>(
    { name: IMPORT_QUEUE, concurrency: 1, retriesMax: 12, timeoutSeconds: 3_600 },
    (key, attempt) => runImport(app, key, { ...attempt, signal: stopping.signal }),
  );
  const startedAt = app.now();
  await tryEachBucket(app, (data) => resumeImports({ ...app, data }, startedAt));
  await app.jobs.scheduleJob("import-resume", "*/5 * * * *", async () => {
    const before = new Date(app.now().getTime() - STALE_MS);
    await tryEachBucket(app, (data) => resumeImports({ ...app, data }, before));
  });
  await app.jobs.scheduleJob("import-files", "23 * * * *", () => removeFiles(app));
  return { [Symbol.dispose]: () => stopping.abort() };
}

/** Queues the running imports of a bucket not updated since `before`. */
async function resumeImports(
  { data, ...app }: Importing & { data: DataDb },
  before: Date,
): Promise<void> {
  const keys = await inTransaction(data, (tx) =>
    updateStaleImports(tx, { before, now: app.now(), max: RESUMED_MAX }),
  );
  for (const key of keys) await sendImport(app, key);
  if (keys.length > 0) app.log.warn({ imports: keys.map(({ id }) => id) }, "imports resumed");
}

/** Removes files that no import needs. */
async function removeFiles(app: Pick<Importing, "buckets" | "files" | "now">): Promise<void> {
  const now = app.now().getTime();
  const found = await app.files.list();
  const ids = found.map(({ id }) => id);
  const byId = new Map<string, NeededImport & { data: DataDb }>();
  await forEachBucket(app, async (data) => {
    for (const row of await listNeeded(data, ids)) byId.set(row.id, { ...row, data });
  });
  for (const { id, writtenAt } of found) {
    const row = byId.get(id);
    if (!row) {
      if (now - writtenAt.getTime() > ORPHANED_MS) await app.files.remove(id);
    } else if (!row.isRunning) {
      const isOld = row.endedAt !== null && now - row.endedAt.getTime() > REJECTED_MS;
      if (isOld) await updateRejectedRemoved(row.data, row);
      await (isOld || !row.hasRejected ? app.files.remove(id) : app.files.removeUpload(id));
    }
  }
}
