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

interface Head {
  entries: string;
  signedAt: Date;
  stoppedReason: string | null;
}

export async function readLog(db: DataDb): Promise<LogStatus> {
  const { rows: heads } = await sql<Head>`
    SELECT size AS entries, signed_at AS "signedAt", stopped_reason AS "stoppedReason" FROM log_heads`.execute(
    db,
  );
  const { rows } = await sql<{ queued: string; oldestId: string | null }>`
    SELECT count(*) AS queued, min(consent_id::text) AS "oldestId"
    FROM (SELECT consent_id FROM consent_queue LIMIT ${sql.lit(QUEUED_COUNTED_MAX)}) rows`.execute(
    db,
  );
  const [[head], [row]] = [heads, rows];
  if (!row) throw new Error("the database returned no status");
  const { queued, oldestId } = row;
  return {
    entries: Number(head?.entries ?? 0),
    signedAt: head?.signedAt ?? null,
    stoppedReason: head?.stoppedReason ?? null,
    queued: Number(queued),
    oldestAt: oldestId === null ? null : timeOfId(oldestId),
  };
}
