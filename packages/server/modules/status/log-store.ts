import { sql } from "kysely";
import { timeOfId } from "../../kernel/ids.ts";
import { type Buckets, readAvailable } from "../../platform/db/buckets/buckets.ts";
import type { DataDb } from "../../platform/db/db.ts";

/** Rows of the log's queue that are counted: this many take hundredths of a second. */
export const QUEUED_COUNTED_MAX = 100_000;

/** The state of the transparency log. */
export interface LogStatus {
  entries: number;
  /** When the newest tree was signed. */
  signedAt: Date | null;
  /** Why no tree is signed any more; null: nothing is wrong. */
  stoppedReason: string | null;
  /** Consents without an entry, counted up to a limit. */
  queued: number;
  /** When the oldest of them was collected, which may be long ago for an imported one. */
  oldestAt: Date | null;
  /** Buckets whose server is unavailable. Their consents are not counted. */
  unavailableBuckets: string[];
}

export async function readLog(buckets: Buckets): Promise<LogStatus> {
  const { rows } = await sql<Pick<LogStatus, "entries" | "signedAt" | "stoppedReason">>`
    SELECT size AS entries, signed_at AS "signedAt", stopped_reason AS "stoppedReason" FROM log_heads`.execute(
    buckets.home.data,
  );
  const head = rows[0] ?? { entries: 0, signedAt: null, stoppedReason: null };
  const { results, unavailable } = await readAvailable(buckets, readQueue);
  const queues = results.flat();
  const [oldestId] = queues.flatMap(({ oldestId: id }) => id ?? []).toSorted();
  return {
    ...head,
    queued: queues.reduce((sum, { queued }) => sum + queued, 0),
    oldestAt: oldestId === undefined ? null : timeOfId(oldestId),
    unavailableBuckets: unavailable.toSorted(),
  };
}

async function readQueue(data: DataDb): Promise<{ queued: number; oldestId: string | null }[]> {
  const { rows } = await sql<{ queued: number; oldestId: string | null }>`
    SELECT count(*) AS queued, min(consent_id::text) AS "oldestId"
    FROM (SELECT consent_id FROM consent_queue LIMIT ${sql.lit(QUEUED_COUNTED_MAX)}) rows`.execute(
    data,
  );
  return rows;
}
