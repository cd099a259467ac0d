import type { FastifyBaseLogger } from "fastify";
import type { Db, Tx } from "../../../platform/db/db.ts";
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

/** The log's order, which never changes: a reader that follows it counts every record once. */
type LogOrder = Pick<ConsentsPorts, "findLogSize" | "listPlacedConsents">;

const BATCH = 5_000;

/**
 * Opens the work that adds what was collected to the counts. Any number of nodes may have it open: one is at
 * it at a time. A batch is counted in one transaction with how far that is: nothing twice, nothing left out.
 */
export function openTally(
  app: Pick<ConsentsPorts, "db" | "intervals"> & {
    log: Pick<FastifyBaseLogger, "error">;
  } & LogOrder,
): AsyncDisposable {
  const { countsMs } = app.intervals;
  return openWorkerLoop(async () => ((await tallySome(app)) ? 0 : countsMs), {
    retryMs: countsMs,
    onError: (err) => app.log.error({ err }, "answers wait to be counted"),
  });
}

/** Counts some of what waits; answers whether there is more. */
async function tallySome({ db, ...placed }: { db: Db } & LogOrder): Promise<boolean> {
  return inTransaction(db, async (tx) => {
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
  tx: Tx,
  placed: LogOrder,
  { tables, ...range }: { from: number; to: number; tables: CountsTables },
): Promise<Date | null> {
  const keys = await placed.listPlacedConsents(tx, range);
  if (keys.length === 0) return null;
  return addAnswers(tx, tables, {
    projectIds: keys.map(({ projectId }) => projectId),
    ids: keys.map(({ consentId }) => consentId),
  });
}

/** The result of counting again. */
export interface Recount {
  /** Entries of the log that were walked through. */
  entries: number;
  /** Counts of an hour or a day that are others than their records make, or than the hours of their day do. */
  differences: number;
}

/**
 * Counts all records again, as far as they are counted, and unless `isCheck` puts that in the place of what
 * there was, all at once. What was erased is in no record any more: it is not counted again.
 */
export async function recountAnswers(
  { db, ...placed }: { db: Db } & LogOrder,
  options: {
    projectId?: string | undefined;
    isCheck: boolean;
    onProgress?: (done: { entries: number; of: number }) => void;
  },
): Promise<Recount> {
  return inTransaction(db, async (tx) => {
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
