import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../../config/config.ts";
import { forEachBucket } from "../../../platform/db/buckets/buckets.ts";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import type { ConsentsPorts } from "../ports.ts";
import { openWorkerLoop } from "../../../platform/queues/worker-loop.ts";
import {
  type CountsTables,
  addAnswers,
  kept,
  lockHead,
  recounted,
  updateHead,
} from "./answers-store.ts";
import { countDifferences, createRecounted, replaceCounts } from "./recount-store.ts";

/** Access to the log's order, which never changes: a reader that follows it counts every record once. */
type LogOrder = Pick<ConsentsPorts, "findLogSize" | "listPlacedConsents">;
type Counting = LogOrder & { config: Pick<Config, "statisticsPages"> };

const BATCH = 5_000;

/**
 * Opens the worker that counts collected records. Any number of nodes may run it; a lock lets one count at a time. The
 * counts of a batch of a bucket and its progress are committed together, so that each record is counted exactly once.
 */
export function openTally(
  app: Pick<ConsentsPorts, "buckets" | "intervals"> & {
    log: Pick<FastifyBaseLogger, "error">;
  } & Counting,
): AsyncDisposable {
  const { countsMs } = app.intervals;
  const tallyAll = async (): Promise<number> => {
    const hasMore = await forEachBucket(app, (data) => tallySome({ ...app, data }));
    return hasMore ? 0 : countsMs;
  };
  return openWorkerLoop(tallyAll, {
    retryMs: countsMs,
    onError: (err) => app.log.error({ err }, "counting answers failed, will retry"),
  });
}

/** Counts the answers of a bucket up to the end of the log. */
export async function tallyToEnd(app: { data: DataDb } & Counting): Promise<void> {
  while (await tallySome(app));
}

/** Counts a batch; returns whether there is more. */
async function tallySome({ data, ...placed }: { data: DataDb } & Counting): Promise<boolean> {
  return inTransaction(data, async (tx) => {
    const head = await lockHead(tx, { isWaiting: false });
    if (!head) return false;
    const size = await placed.findLogSize(tx);
    if (head.leaf >= size) return false;
    const leaf = Math.min(head.leaf + BATCH, size);
    const until = await addRange(tx, placed, { from: head.leaf, to: leaf, tables: kept });
    await updateHead(tx, { leaf, until });
    return leaf < size;
  });
}

async function addRange(
  tx: DataTx,
  placed: Counting,
  { tables, ...range }: { from: number; to: number; tables: CountsTables },
): Promise<Date | null> {
  const keys = await placed.listPlacedConsents(tx, range);
  if (keys.length === 0) return null;
  return addAnswers(tx, tables, {
    projectIds: keys.map(({ projectId }) => projectId),
    ids: keys.map(({ consentId }) => consentId),
    countsPages: placed.config.statisticsPages,
  });
}

/** The result of a recount. */
export interface Recount {
  /** Number of log entries that were read. */
  entries: number;
  /** Number of hourly or daily counts that differ from their records, or from the hours of their day. */
  differences: number;
}

/**
 * Recounts the records that have been counted so far, and unless `isCheck` replaces the counts, in one transaction.
 * Erased records are missing from the new counts.
 */
export async function recountAnswers(
  { data, ...placed }: { data: DataDb } & Counting,
  options: {
    projectId?: string | undefined;
    isCheck: boolean;
    onProgress?: (done: { entries: number; of: number }) => void;
  },
): Promise<Recount> {
  return inTransaction(data, async (tx) => {
    const head = await lockHead(tx, { isWaiting: true });
    const of = head?.leaf ?? 0;
    await createRecounted(tx);
    for (let from = 0; from < of; from += BATCH) {
      await addRange(tx, placed, { from, to: Math.min(from + BATCH, of), tables: recounted });
      options.onProgress?.({ entries: Math.min(from + BATCH, of), of });
    }
    const differences = await countDifferences(tx, options.projectId);
    if (!options.isCheck && differences > 0) await replaceCounts(tx, options.projectId);
    return { entries: of, differences };
  });
}
