import type { Db, Tx } from "../../../platform/db/db.ts";

/** What a user is called and signs in with; nothing for somebody who is gone. */
export async function listNames(db: Db, userId: string): Promise<(string | null)[]> {
  const user = await db
    .selectFrom("users")
    .select(["username", "email", "display_name", "first_name", "last_name"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return Object.values(user ?? {});
}

/** Whether the operator has disabled an account. */
export async function isDisabled(tx: Tx, userId: string): Promise<boolean> {
  const user = await tx
    .selectFrom("users")
    .select("disabled_at")
    .where("id", "=", userId)
    .executeTakeFirst();
  return user !== undefined && user.disabled_at !== null;
}

/** Takes an account away, with its names, ways of signing in, tokens, roles and the invitations that it gave. */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("users").where("id", "=", userId).execute();
}

/** Uses up everything that was mailed or handed to a user to come in with. */
export async function deleteAllOneTimeTokens(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("one_time_tokens").where("user_id", "=", userId).execute();
}

/** The invitations that a user gave. */
export async function deleteInvitationsBy(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("invitations").where("invited_by", "=", userId).execute();
}
