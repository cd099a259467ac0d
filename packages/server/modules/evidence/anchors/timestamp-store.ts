import { sql } from "kysely";
import type { DataDb, DataTx } from "../../../platform/db/db.ts";

/** A time-stamped checkpoint. */
export interface TimestampRow {
  size: number;
  /** Byte for byte as time-stamped, in UTF-8. */
  checkpoint: string;
  /** The authority's TimeStampResp, byte for byte. */
  reply: Buffer;
  /** By the authority's clock. */
  stamped_at: Date;
}

/**
 * Leases an authority for `leaseSeconds`, so that no other node asks it at the same time. Returns its number of
 * consecutive failures; undefined if it is not due, if the last time-stamp is younger than `everyMinutes`, or
 * if that covers the tree of `size`.
 */
export async function claimAuthority(
  db: DataDb,
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

/** Stores an authority's number of consecutive failures; its next request is due in `waitSeconds`. */
export async function updateAuthority(
  db: DataDb | DataTx,
  { url, failures, waitSeconds }: { url: string; failures: number; waitSeconds: number },
): Promise<void> {
  await sql`
    UPDATE log_authorities SET failures = ${failures},
      next_at = now() + make_interval(secs => ${waitSeconds})
    WHERE url = ${url}`.execute(db);
}

/** Stores a time-stamp; does nothing if the tree has one. */
export async function insertTimestamp(tx: DataTx, row: TimestampRow): Promise<void> {
  await sql`
    INSERT INTO log_timestamps (size, checkpoint, reply, stamped_at)
    VALUES (${row.size}, ${row.checkpoint}, ${row.reply}, ${row.stamped_at})
    ON CONFLICT (size) DO NOTHING`.execute(tx);
}

export async function findTimestamp(db: DataDb, size: number): Promise<TimestampRow | undefined> {
  const { rows } = await sql<TimestampRow>`
    SELECT size, checkpoint, reply, stamped_at FROM log_timestamps
    WHERE size = ${size}`.execute(db);
  return rows[0];
}

/** The newest time-stamp of a tree of at most `size` leaves. */
export async function findTimestampUpTo(
  db: DataDb,
  size: number,
): Promise<TimestampRow | undefined> {
  const { rows } = await sql<TimestampRow>`
    SELECT size, checkpoint, reply, stamped_at FROM log_timestamps
    WHERE size <= ${size} ORDER BY size DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** Time-stamps of trees with fewer than `before` leaves, the newest first. */
export async function listTimestampsBefore(
  db: DataDb,
  before: number,
  limit: number,
): Promise<Pick<TimestampRow, "size" | "stamped_at">[]> {
  const { rows } = await sql<Pick<TimestampRow, "size" | "stamped_at">>`
    SELECT size, stamped_at FROM log_timestamps
    WHERE size < ${before} ORDER BY size DESC LIMIT ${limit}`.execute(db);
  return rows;
}
