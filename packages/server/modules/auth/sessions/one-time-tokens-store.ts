import type { Insertable } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

/** What a token lets its bearer do. */
export type Purpose = "reset" | "validate" | "exchange";

interface OneTime {
  hash: Buffer;
  purpose: Purpose;
  now: Date;
}

/** Whose a token is, and the address that it was mailed to. */
export interface Holder {
  userId: string;
  email: string | null;
  data: string | null;
}

export async function insertOneTimeToken(
  tx: Tx,
  token: Omit<Insertable<Tables["one_time_tokens"]>, "purpose"> & { purpose: Purpose },
): Promise<void> {
  await tx.insertInto("one_time_tokens").values(token).execute();
}

/** Whose token this is; undefined when it is unknown, used or expired. */
export function findOneTimeToken(
  db: Db | Tx,
  { hash, purpose, now }: OneTime,
): Promise<Holder | undefined> {
  return db
    .selectFrom("one_time_tokens")
    .select(["user_id as userId", "email", "data"])
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** The same, and uses it up: of two at once, one gets it. */
export function takeOneTimeToken(
  tx: Tx,
  { hash, purpose, now }: OneTime,
): Promise<Holder | undefined> {
  return tx
    .deleteFrom("one_time_tokens")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .returning(["user_id as userId", "email", "data"])
    .executeTakeFirst();
}

/** Uses up every token of a user for a purpose. */
export async function deleteOneTimeTokens(
  tx: Tx,
  { userId, purpose }: { userId: string; purpose: Purpose },
): Promise<void> {
  await tx
    .deleteFrom("one_time_tokens")
    .where("user_id", "=", userId)
    .where("purpose", "=", purpose)
    .execute();
}

export async function deleteExpiredOneTimeTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("one_time_tokens").where("expires_at", "<=", now).execute();
}
