import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** A checkpoint that was time-stamped. */
export interface TimestampRow {
  size: number;
  /** As it was stamped, byte for byte in UTF-8. */
  checkpoint: string;
  /** TimeStampResp, as the authority answered it. */
  reply: Buffer;
  /** By the authority's clock. */
  stamped_at: Date;
}

/**
 * Takes an authority that may be asked to stamp the tree of `size`, for `leaseSeconds`: no other node
 * asks it meanwhile. Answers how often it failed in a row; undefined where it may not be asked now, the
 * last stamp is younger than `everyMinutes`, or has all of this tree.
 */
export async function claimAuthority(
  db: Db,
  of: { url: string; size: number; everyMinutes: number; leaseSeconds: number },
): Promise<number | undefined> {
  const { url, size, everyMinutes, leaseSeconds } = of;
  const { rows } = await sql<{ failures: number }>`
    INSERT INTO log_authorities AS a (url, next_at)
    SELECT ${url}, now() + make_interval(secs => ${leaseSeconds})
    WHERE NOT EXISTS (
      SELECT FROM (SELECT size, kept_at FROM log_timestamps ORDER BY size DESC LIMIT 1) t
      WHERE t.size >= ${size} OR t.kept_at > now() - make_interval(mins => ${everyMinutes})
    )
    ON CONFLICT (url) DO UPDATE SET next_at = excluded.next_at WHERE a.next_at <= now()
    RETURNING a.failures`.execute(db);
  return rows[0]?.failures;
}

/** Keeps how often an authority failed in a row, and when it may be asked again. */
export async function updateAuthority(
  db: Db | Tx,
  { url, failures, waitSeconds }: { url: string; failures: number; waitSeconds: number },
): Promise<void> {
  await sql`
    UPDATE log_authorities SET failures = ${failures},
      next_at = now() + make_interval(secs => ${waitSeconds})
    WHERE url = ${url}`.execute(db);
}

/** Keeps a time-stamp; of one tree the first one stays. */
export async function insertTimestamp(tx: Tx, row: TimestampRow): Promise<void> {
  await sql`
    INSERT INTO log_timestamps (size, checkpoint, reply, stamped_at)
    VALUES (${row.size}, ${row.checkpoint}, ${row.reply}, ${row.stamped_at})
    ON CONFLICT (size) DO NOTHING`.execute(tx);
}

export async function findTimestamp(db: Db, size: number): Promise<TimestampRow | undefined> {
  const { rows } = await sql<TimestampRow>`
    SELECT size, checkpoint, reply, stamped_at FROM log_timestamps
    WHERE size = ${size}`.execute(db);
  return rows[0];
}

/** The newest time-stamp of a tree that has `size` leaves at most. */
export async function findTimestampUpTo(db: Db, size: number): Promise<TimestampRow | undefined> {
  const { rows } = await sql<TimestampRow>`
    SELECT size, checkpoint, reply, stamped_at FROM log_timestamps
    WHERE size <= ${size} ORDER BY size DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** Time-stamps of trees with less than `before` leaves, the newest first. */
export async function listTimestampsBefore(
  db: Db,
  before: number,
  limit: number,
): Promise<Pick<TimestampRow, "size" | "stamped_at">[]> {
  const { rows } = await sql<Pick<TimestampRow, "size" | "stamped_at">>`
    SELECT size, stamped_at FROM log_timestamps
    WHERE size < ${before} ORDER BY size DESC LIMIT ${limit}`.execute(db);
  return rows;
}
