import type { Insertable } from "kysely";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";

export const tokenPurposes = ["reset", "validate", "exchange"] as const;
export type Purpose = (typeof tokenPurposes)[number];

interface OneTimeToken {
  hash: Buffer;
  purpose: Purpose;
  now: Date;
}

/** The user of a token, and the address that it was mailed to. */
export interface TokenHolder {
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

/** The holder of a token; undefined when it is unknown, used or expired. */
export function findOneTimeToken(
  db: Db | Tx,
  { hash, purpose, now }: OneTimeToken,
): Promise<TokenHolder | undefined> {
  return db
    .selectFrom("one_time_tokens")
    .select(["user_id as userId", "email", "data"])
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** The same, and consumes the token: only one of two concurrent requests gets it. */
export function takeOneTimeToken(
  tx: Tx,
  { hash, purpose, now }: OneTimeToken,
): Promise<TokenHolder | undefined> {
  return tx
    .deleteFrom("one_time_tokens")
    .where("hash", "=", hash)
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .returning(["user_id as userId", "email", "data"])
    .executeTakeFirst();
}

/** Deletes the tokens of a user for these purposes. */
export async function deleteOneTimeTokens(
  tx: Tx,
  { userId, purposes }: { userId: string; purposes: readonly Purpose[] },
): Promise<void> {
  await tx
    .deleteFrom("one_time_tokens")
    .where("user_id", "=", userId)
    .where("purpose", "in", purposes)
    .execute();
}

export async function deleteExpiredOneTimeTokens(db: Db, now: Date): Promise<void> {
  await db.deleteFrom("one_time_tokens").where("expires_at", "<=", now).execute();
}
