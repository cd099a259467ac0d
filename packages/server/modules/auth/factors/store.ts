import type { Selectable } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export type Factor = Selectable<Tables["factors"]>;

/** A user's second factor, confirmed or pending. */
export function findFactor(db: Db | Tx, userId: string): Promise<Factor | undefined> {
  return db.selectFrom("factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

export async function findConfirmedFactor(
  db: Db | Tx,
  userId: string,
): Promise<Factor | undefined> {
  const factor = await findFactor(db, userId);
  return factor && factor.confirmed_at !== null ? factor : undefined;
}

/** Inserts a pending factor, or replaces one. */
export async function putPendingFactor(
  tx: Tx,
  { userId, secret, now }: { userId: string; secret: string; now: Date },
): Promise<void> {
  const pending = { secret, last_step: 0, created_at: now, confirmed_at: null };
  await tx
    .insertInto("factors")
    .values({ user_id: userId, ...pending })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet(pending).where("factors.confirmed_at", "is", null),
    )
    .execute();
}

export async function confirmPendingFactor(
  tx: Tx,
  { userId, step, now }: { userId: string; step: number; now: Date },
): Promise<void> {
  await tx
    .updateTable("factors")
    .set({ confirmed_at: now, last_step: step })
    .where("user_id", "=", userId)
    .execute();
}

/** Consumes the code of a time step and those before it; false if already consumed. */
export async function takeStep(
  tx: Tx,
  { userId, step }: { userId: string; step: number },
): Promise<boolean> {
  const taken = await tx
    .updateTable("factors")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("last_step", "<", step)
    .returning("user_id")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Deletes a user's factor with its recovery codes, and returns it. */
export async function deleteFactor(tx: Tx, userId: string): Promise<Factor | undefined> {
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  return tx.deleteFrom("factors").where("user_id", "=", userId).returningAll().executeTakeFirst();
}

/** Replaces the recovery codes. */
export async function putRecoveryCodes(tx: Tx, userId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, hash }));
  await tx.insertInto("recovery_codes").values(rows).execute();
}

export async function hasRecoveryCode(db: Db, userId: string, hash: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom("recovery_codes")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row !== undefined;
}

/** Consumes a recovery code; false if already used. */
export async function takeRecoveryCode(tx: Tx, userId: string, hash: Buffer): Promise<boolean> {
  const taken = await tx
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("hash", "=", hash)
    .returning("user_id")
    .executeTakeFirst();
  return taken !== undefined;
}

export async function countRecoveryCodes(db: Db | Tx, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return total;
}
