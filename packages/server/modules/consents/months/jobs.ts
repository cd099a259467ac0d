import { type Buckets, forEachBucket } from "../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { Jobs } from "../../../kernel/jobs.ts";
import { codeOf } from "../../../platform/errors.ts";
import { dropEmptyPartition } from "../records/months-store.ts";
import { copyDueMonths, listDueMonths } from "./copy.ts";
import { type MonthsApp, READS_MS } from "./files.ts";
import { moveCopied } from "./move.ts";
import {
  deleteErasures,
  deleteGarbage,
  deleteObjectRow,
  hasOpenImports,
  insertGarbage,
  listGarbage,
  listRestoredBefore,
  lockObject,
} from "./months-store.ts";
import { rewriteErased } from "./rewrite.ts";

const LOCK_NOT_AVAILABLE = "55P03";

/** Shorter than the lease of the job, ten minutes. */
const RUN_MS = 8 * 60_000;

/** Starts the job of archived months, which runs every ten minutes on one node. */
export async function startMonthJobs(
  opened: AsyncDisposableStack,
  app: Omit<MonthsApp, "afterMonths" | "data"> & {
    buckets: Buckets;
    config: { archive: { afterMonths: number } };
    jobs: Pick<Jobs, "scheduleJob">;
  },
): Promise<void> {
  const stopping = new AbortController();
  opened.defer(() => stopping.abort());
  const { afterMonths } = app.config.archive;
  await app.jobs.scheduleJob("months", "*/10 * * * *", () =>
    runAllMonths(
      { ...app, afterMonths },
      AbortSignal.any([stopping.signal, AbortSignal.timeout(RUN_MS)]),
    ),
  );
}

/** Runs `runMonths` for each bucket. */
export async function runAllMonths(
  app: Omit<MonthsApp, "data"> & { buckets: Buckets },
  signal: AbortSignal,
): Promise<void> {
  await forEachBucket(app, (data) => runMonths({ ...app, data }, signal));
}

/**
 * Moves records of closed months to files, and completes what was begun: erased records leave their files, restored months
 * lose theirs, unused files are deleted. Every step can be repeated, so that a stopped run is resumed by the next one.
 */
export async function runMonths(app: MonthsApp, signal: AbortSignal): Promise<void> {
  await deleteUnused(app);
  await rewriteErased(app, signal);
  await moveCopied(app, signal);
  // Erased records leave their files soon, also while a large month is copied.
  await copyDueMonths(app, signal, () => rewriteErased(app, signal));
  if (!signal.aborted) await dropEmptyMonths(app);
}

/** Deletes what no running read uses any more: files without a row, of restored months, and finished erasures. */
async function deleteUnused({ data, objects, now }: MonthsApp): Promise<void> {
  for (const object of await listRestoredBefore(data, new Date(now().getTime() - READS_MS)))
    await inTransaction(data, async (tx) => {
      if (!(await lockObject(tx, object.key))) return;
      await deleteObjectRow(tx, object);
      await insertGarbage(tx, {
        key: object.key,
        deleteAfter: new Date(now().getTime() + READS_MS),
      });
    });
  for (const key of await listGarbage(data, now())) {
    await objects.deleteObject(key);
    await deleteGarbage(data, key);
  }
  await deleteErasures(data, now());
}

/** Drops the partitions of due months that have no records. An import may be about to write to one. */
async function dropEmptyMonths(app: MonthsApp): Promise<void> {
  const { data, log } = app;
  if (await hasOpenImports(data)) return;
  for (const partition of await listDueMonths(app))
    try {
      const isDropped = await data.transaction().execute((tx) => dropEmptyPartition(tx, partition));
      if (isDropped) log.info({ month: partition.month }, "empty month dropped");
    } catch (error) {
      if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    }
}
