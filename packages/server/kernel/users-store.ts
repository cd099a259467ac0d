import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/db.ts";
import { toLoginName } from "./logins.ts";

/** The part of a user that other users may see. */
export interface UserCard {
  id: string;
  email: string | null;
  displayName: string;
  /** The user has confirmed the address. */
  isConfirmed: boolean;
}

const columns = [
  "users.id",
  "users.email",
  "users.display_name as displayName",
  sql<boolean>`users.email_verified_at IS NOT NULL`.as("isConfirmed"),
] as const;

/** Finds the user who signs in with `login`: a username or an e-mail address, case-insensitive. */
export function findUserByLogin(db: Db | Tx, login: string): Promise<UserCard | undefined> {
  return db
    .selectFrom("logins")
    .innerJoin("users", "users.id", "logins.user_id")
    .select(columns)
    .where("logins.name", "=", toLoginName(login))
    .executeTakeFirst();
}

/**
 * Finds the user with this e-mail address, case-insensitive. Rights and reset links use it, not logins: a
 * username is not an address, and an address that only folds to the same name (ß and ss) is another mailbox.
 */
export async function findUserByEmail(
  db: Db | Tx,
  email: string,
): Promise<(UserCard & { email: string }) | undefined> {
  const user = await findUserByLogin(db, email);
  if (!user || user.email === null || !isSameAddress(user.email, email)) return undefined;
  return { ...user, email: user.email };
}

/** Whether two addresses are the same mailbox, ignoring case and compatibility forms. */
export function isSameAddress(one: string, other: string): boolean {
  return toAddress(one) === toAddress(other);
}

function toAddress(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase();
}

/** Lists the users with these ids, to send them mail; deleted and disabled users are left out. */
export function listUsersById(db: Db | Tx, ids: readonly string[]): Promise<UserCard[]> {
  return db
    .selectFrom("users")
    .select(columns)
    .where("id", "in", [...ids])
    .where("disabled_at", "is", null)
    .execute();
}

export function findUserById(db: Db | Tx, id: string): Promise<UserCard | undefined> {
  return db.selectFrom("users").select(columns).where("id", "=", id).executeTakeFirst();
}
