import { sql } from "kysely";
import { timeOfId } from "../../kernel/ids.ts";
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
}

interface Row {
  entries: string | null;
  signedAt: Date | null;
  stoppedReason: string | null;
  queued: string;
  oldestId: string | null;
}

export async function readLog(db: DataDb): Promise<LogStatus> {
  const { rows } = await sql<Row>`
    SELECT h.size AS entries, h.signed_at AS "signedAt", h.stopped_reason AS "stoppedReason", q.queued, q."oldestId"
    FROM (
      SELECT count(*) AS queued, min(consent_id::text) AS "oldestId"
      FROM (SELECT consent_id FROM consent_queue LIMIT ${sql.lit(QUEUED_COUNTED_MAX)}) rows
    ) q LEFT JOIN log_heads h ON true`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the database returned no status");
  const { entries, signedAt, stoppedReason, queued, oldestId } = row;
  return {
    entries: Number(entries ?? 0),
    signedAt,
    stoppedReason,
    queued: Number(queued),
    oldestAt: oldestId === null ? null : timeOfId(oldestId),
  };
}
