import type { FastifyBaseLogger } from "fastify";
import { openConsentIds } from "../ids.ts";
import type { DataCtx } from "../ctx.ts";
import { type AllPlanes, forEachBucket } from "../../platform/db/buckets/buckets.ts";
import type { DataTx, Db, Planes } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { type NewEvent, toEventRow } from "./events.ts";
import { openWorkerLoop } from "../../platform/queues/worker-loop.ts";
import { deleteOutbox, insertOutbox, listOutbox } from "./outbox-store.ts";
import { deleteReceivedBefore, receiveEvents } from "./received-store.ts";

const MOVED_MAX = 500;
const MOVE_INTERVAL_MS = 3_000;
/** Retention period of the ids of moved events, longer than that of any backup of the data plane that is restored. */
const RECEIPTS_MS = 90 * 86_400_000;
const newEventId = openConsentIds();

/**
 * Notes an event in the transaction of its write to the data plane. `moveEvents` moves it to the audit trail of the
 * control plane.
 */
export async function noteEvent(ctx: DataCtx, event: NewEvent): Promise<void> {
  await insertOutbox(ctx.tx, { id: newEventId(ctx.now), ...toEventRow(ctx, event) });
}

/**
 * Runs a write to the data plane, and moves the events that it noted. A failed move does not fail the write: each node
 * moves the rest every few seconds.
 */
export async function writeData<T>(planes: Planes, work: (tx: DataTx) => Promise<T>): Promise<T> {
  const written = await inTransaction(planes.data, work);
  await moveEvents(planes).catch(() => undefined);
  return written;
}

/**
 * Moves noted events to the audit trail, oldest first, each once: the control plane keeps the ids that it has received,
 * so that a crash between its commit and the deletion repeats nothing. Returns how many there were, 500 at most.
 */
async function moveEvents({ db, data }: Planes): Promise<number> {
  const noted = await listOutbox(data, MOVED_MAX);
  if (noted.length === 0) return 0;
  await inTransaction(db, (tx) => receiveEvents(tx, noted));
  await deleteOutbox(
    data,
    noted.map(({ id }) => id),
  );
  return noted.length;
}

/** Starts to move the events that a crash, or an outage of the control plane, left. Any number of nodes may do so. */
export function openEventRelay(
  app: AllPlanes & { log: Pick<FastifyBaseLogger, "error"> },
): AsyncDisposable {
  return openWorkerLoop(
    async () => {
      const hasMore = await forEachBucket(
        app,
        async (data) => (await moveEvents({ db: app.db, data })) === MOVED_MAX,
      );
      return hasMore ? 0 : MOVE_INTERVAL_MS;
    },
    {
      retryMs: MOVE_INTERVAL_MS,
      onError: (err) => app.log.error({ err }, "events not moved to the audit trail, will retry"),
    },
  );
}

/** Deletes the ids of events that were moved more than 90 days before `now`. */
export async function deleteReceipts(db: Db, now: Date): Promise<void> {
  await deleteReceivedBefore(db, new Date(now.getTime() - RECEIPTS_MS));
}
