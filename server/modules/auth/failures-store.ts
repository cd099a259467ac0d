import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/db.ts";

/** How many sign-ins failed under a key since its window began, and when the window ends. */
export interface FailureCount {
  key: Buffer;
  failures: number;
  expiresAt: Date;
}

const counted = ["key", "failures", "expires_at as expiresAt"] as const;

export function listFailures(db: Db, keys: Buffer[], now: Date): Promise<FailureCount[]> {
  return db
    .selectFrom("signin_failures")
    .select(counted)
    .where("key", "in", keys)
    .where("expires_at", ">", now)
    .execute();
}

/** Counts one failure under each key; a window that has ended begins anew and ends at `expiresAt`. */
export async function addFailure(
  db: Db,
  keys: Buffer[],
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  // In one order, so that two failures at once never wait for each other.
  const rows = keys
    .toSorted((a, b) => Buffer.compare(a, b))
    .map((key) => ({ key, failures: 1, expires_at: expiresAt }));
  const ended = sql<boolean>`signin_failures.expires_at <= ${now}`;
  await db
    .insertInto("signin_failures")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        failures: sql<number>`CASE WHEN ${ended} THEN 1 ELSE signin_failures.failures + 1 END`,
        expires_at: sql<Date>`CASE WHEN ${ended} THEN excluded.expires_at ELSE signin_failures.expires_at END`,
      }),
    )
    .execute();
}

export async function deleteFailures(tx: Tx, key: Buffer): Promise<void> {
  await tx.deleteFrom("signin_failures").where("key", "=", key).execute();
}

/** Whether the account signed in from the address lately; `key` stands for both. */
export async function isKnownAddress(db: Db, key: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom("signin_addresses")
    .select("key")
    .where("key", "=", key)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Remembers an address until `expiresAt`; writes nothing when it is remembered until `enoughAt` or longer. */
export async function keepAddress(
  tx: Tx,
  key: Buffer,
  { expiresAt, enoughAt }: { expiresAt: Date; enoughAt: Date },
): Promise<void> {
  const kept = await tx
    .selectFrom("signin_addresses")
    .select("key")
    .where("key", "=", key)
    .where("expires_at", ">=", enoughAt)
    .executeTakeFirst();
  if (kept) return;
  await tx
    .insertInto("signin_addresses")
    .values({ key, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ expires_at: expiresAt }))
    .execute();
}

export async function deleteExpiredFailures(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("signin_failures").where("expires_at", "<=", now).execute();
  await db.deleteFrom("signin_addresses").where("expires_at", "<=", now).execute();
}
