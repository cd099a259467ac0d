import { sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** The attempts counted for a key in the current window, and its end. */
export interface AttemptCount {
  key: Buffer;
  count: number;
  expiresAt: Date;
}

/**
 * Counts an attempt for a key; undefined, with nothing counted, when `max` are counted already. One statement, so that no
 * more than `max` concurrent attempts are counted. An expired window is replaced by a new one. A skipped attempt runs
 * the same statement without counting, so that its time reveals nothing.
 */
export async function countAttempt(
  db: Db | Tx,
  attempt: { key: Buffer; max: number; now: Date; expiresAt: Date; isSkipped: boolean },
): Promise<AttemptCount | undefined> {
  const { key, max, now, expiresAt, isSkipped } = attempt;
  const isEnded = sql`counted.expires_at <= ${now}`;
  const { rows } = await sql<AttemptCount>`
    INSERT INTO signin_failures AS counted (key, failures, expires_at)
    SELECT ${key}::bytea, 1, ${expiresAt}::timestamptz WHERE NOT ${isSkipped}::boolean
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN ${isEnded} THEN 1 ELSE counted.failures + 1 END,
      expires_at = CASE WHEN ${isEnded} THEN excluded.expires_at ELSE counted.expires_at END
    WHERE ${isEnded} OR counted.failures < ${max}
    RETURNING key, failures AS count, expires_at AS "expiresAt"`.execute(db);
  return rows[0];
}

/** Subtracts `count.count` attempts, unless a new window has begun since they were counted. */
export async function subtractAttempts(db: Db, { key, count, expiresAt }: AttemptCount) {
  await db
    .updateTable("signin_failures")
    .set({ failures: sql<number>`greatest(0, failures - ${count})` })
    .where("key", "=", key)
    .where("expires_at", "=", expiresAt)
    .execute();
}

export function listAttemptCounts(db: Db, keys: Buffer[], now: Date): Promise<AttemptCount[]> {
  return db
    .selectFrom("signin_failures")
    .select(["key", "failures as count", "expires_at as expiresAt"])
    .where("key", "in", keys)
    .where("expires_at", ">", now)
    .execute();
}

/** Whether an account at an address is remembered until after `at`. */
export async function isKnownAddress(db: Db | Tx, key: Buffer, at: Date): Promise<boolean> {
  const kept = await db
    .selectFrom("signin_addresses")
    .select("key")
    .where("key", "=", key)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return kept !== undefined;
}

export async function putKnownAddress(db: Db | Tx, key: Buffer, expiresAt: Date): Promise<void> {
  await db
    .insertInto("signin_addresses")
    .values({ key, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

export async function deleteExpiredAttempts(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("signin_failures").where("expires_at", "<=", now).execute();
  await db.deleteFrom("signin_addresses").where("expires_at", "<=", now).execute();
}
