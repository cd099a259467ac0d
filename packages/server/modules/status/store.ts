import { sql } from "kysely";
import { timeOfId } from "../../kernel/ids.ts";
import type { Db } from "../../platform/db/db.ts";
import { type LastBackup, findLastBackup } from "../../platform/db/backups.ts";

/** Rows of the log's queue that are counted: this many take hundredths of a second. */
export const QUEUED_COUNTED_MAX = 100_000;

/** A queue of jobs; its counts are at most five seconds old. */
interface JobQueue {
  name: string;
  waiting: number;
  active: number;
}

/** The work that waits, and the last backup, as the database has them. */
export interface WorkStatus {
  log: {
    entries: number;
    /** When the newest tree was signed. */
    signedAt: Date | null;
    stoppedReason: string | null;
    /** Consents without an entry, counted up to a limit. */
    queued: number;
    /** When the oldest of them was collected, which may be long ago for an imported one. */
    oldestAt: Date | null;
  };
  webhooks: {
    endpoints: number;
    /** Endpoints whose last batch failed. */
    failing: number;
    pending: number;
    /** When the first delivery that waits was due; in the future for a retry. */
    dueAt: Date | null;
  };
  queues: JobQueue[];
  backup: LastBackup | undefined;
}

interface Row {
  entries: string | null;
  signedAt: Date | null;
  stoppedReason: string | null;
  queued: string;
  oldestId: string | null;
  endpoints: string;
  failing: string;
  pending: string;
  dueAt: Date | null;
  queues: JobQueue[] | null;
}

export async function readWork(db: Db): Promise<WorkStatus> {
  const { rows } = await sql<Row>`
    SELECT h.size AS entries, h.signed_at AS "signedAt", h.stopped_reason AS "stoppedReason", q.queued, q."oldestId", w.*, (
      SELECT json_agg(json_build_object('name', name, 'waiting', queued_count, 'active', active_count) ORDER BY name)
      FROM pgboss.queue
    ) AS queues
    FROM (
      SELECT count(*) AS queued, min(consent_id::text) AS "oldestId"
      FROM (SELECT consent_id FROM consent_queue LIMIT ${sql.lit(QUEUED_COUNTED_MAX)}) rows
    ) q, (
      SELECT count(*) AS endpoints, count(*) FILTER (WHERE enabled AND failures > 0) AS failing,
        coalesce(sum(pending), 0) AS pending, min(due_at) FILTER (WHERE enabled) AS "dueAt"
      FROM webhooks
    ) w LEFT JOIN log_heads h ON true`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the database returned no status");
  const {
    entries,
    signedAt,
    stoppedReason,
    queued,
    oldestId,
    endpoints,
    failing,
    pending,
    dueAt,
    queues,
  } = row;
  return {
    log: {
      entries: Number(entries ?? 0),
      signedAt,
      stoppedReason,
      queued: Number(queued),
      oldestAt: oldestId === null ? null : timeOfId(oldestId),
    },
    webhooks: {
      endpoints: Number(endpoints),
      failing: Number(failing),
      pending: Number(pending),
      dueAt,
    },
    queues: queues ?? [],
    backup: await findLastBackup(db),
  };
}
