import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** How many sign-ins failed under a key since its window began, and when the window ends. */
export interface FailureCount {
  key: Buffer;
  failures: number;
  expiresAt: Date;
}

export interface Reservation {
  /** Whether the account signed in from the address lately. */
  known: boolean;
  /** The keys that had room, counted; none when `narrow` had none, `narrow` alone where it is known. */
  counts: FailureCount[];
}

interface ReserveInput {
  narrow: { key: Buffer; max: number };
  wide: { keys: Buffer[]; max: number };
  now: Date;
  /** When windows end that begin now. */
  expiresAt: Date;
}

/**
 * Counts one failure under `narrow` and, where that had room and is no known address, under the
 * `wide` keys that have room: one statement, so that of any number at once no more than `max` are
 * counted under a key. A window that has ended begins anew.
 */
export async function reserveFailure(db: Db | Tx, input: ReserveInput): Promise<Reservation> {
  const { narrow, wide, now, expiresAt } = input;
  // In one order, narrow first, so that two at once never wait for each other.
  const keys = wide.keys.toSorted((a, b) => Buffer.compare(a, b));
  const { rows } = await sql<Partial<FailureCount> & { known: boolean }>`
    WITH known AS (
      SELECT FROM signin_addresses WHERE key = ${narrow.key} AND expires_at > ${now}
    ), narrow AS (
      INSERT INTO signin_failures AS counted (key, failures, expires_at)
      VALUES (${narrow.key}, 1, ${expiresAt})
      ${countIfRoom(narrow.max, now)}
    ), wide AS (
      INSERT INTO signin_failures AS counted (key, failures, expires_at)
      SELECT key, 1, ${expiresAt} FROM unnest(${keys}::bytea[]) AS key
      WHERE EXISTS (SELECT FROM narrow) AND NOT EXISTS (SELECT FROM known)
      ${countIfRoom(wide.max, now)}
    )
    SELECT EXISTS (SELECT FROM known) AS known, key, failures, expires_at AS "expiresAt"
    FROM (VALUES (true)) AS always
    LEFT JOIN (SELECT * FROM narrow UNION ALL SELECT * FROM wide) AS counted ON true`.execute(db);
  const counts = rows.flatMap(({ key, failures, expiresAt: endsAt }) =>
    key && failures && endsAt ? [{ key, failures, expiresAt: endsAt }] : [],
  );
  return { known: rows.some(({ known }) => known), counts };
}

function countIfRoom(max: number, now: Date): RawBuilder<unknown> {
  const ended = sql`counted.expires_at <= ${now}`;
  return sql`
    ON CONFLICT (key) DO UPDATE SET
      failures = CASE WHEN ${ended} THEN 1 ELSE counted.failures + 1 END,
      expires_at = CASE WHEN ${ended} THEN excluded.expires_at ELSE counted.expires_at END
    WHERE ${ended} OR counted.failures < ${max}
    RETURNING key, failures, expires_at`;
}

/** Takes `count.failures` failures back, unless a new window has begun since they were counted. */
export async function subtractFailures(db: Db, count: FailureCount): Promise<void> {
  await db
    .updateTable("signin_failures")
    .set({ failures: sql<number>`greatest(0, failures - ${count.failures})` })
    .where("key", "=", count.key)
    .where("expires_at", "=", count.expiresAt)
    .execute();
}

export function listFailures(db: Db, keys: Buffer[], now: Date): Promise<FailureCount[]> {
  return db
    .selectFrom("signin_failures")
    .select(["key", "failures", "expires_at as expiresAt"])
    .where("key", "in", keys)
    .where("expires_at", ">", now)
    .execute();
}

/** For how many seconds a key's window still lasts; at least one. */
export async function findWaitSeconds(db: Db, key: Buffer, now: Date): Promise<number> {
  const [count] = await listFailures(db, [key], now);
  const endsAt = count?.expiresAt.getTime() ?? now.getTime();
  return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000));
}

/** Whether an address is remembered. */
export async function isKnownAddress(db: Db, key: Buffer, now: Date): Promise<boolean> {
  const kept = await db
    .selectFrom("signin_addresses")
    .select("key")
    .where("key", "=", key)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return kept !== undefined;
}

/** Remembers an address until `expiresAt`; writes nothing when it is remembered until `enoughAt` or longer. */
export async function keepAddress(
  db: Db | Tx,
  key: Buffer,
  { expiresAt, enoughAt }: { expiresAt: Date; enoughAt: Date },
): Promise<void> {
  const kept = await db
    .selectFrom("signin_addresses")
    .select("key")
    .where("key", "=", key)
    .where("expires_at", ">=", enoughAt)
    .executeTakeFirst();
  if (kept) return;
  await db
    .insertInto("signin_addresses")
    .values({ key, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

export async function deleteExpiredFailures(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("signin_failures").where("expires_at", "<=", now).execute();
  await db.deleteFrom("signin_addresses").where("expires_at", "<=", now).execute();
}
