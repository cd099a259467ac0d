import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/db.ts";
import { toLoginName } from "./logins.ts";

/** What other users may see of a user. */
export interface UserCard {
  id: string;
  /** Null where they have none. */
  email: string | null;
  displayName: string;
  /** Whether the address was shown to be theirs. */
  isConfirmed: boolean;
}

const columns = [
  "users.id",
  "users.email",
  "users.display_name as displayName",
  sql<boolean>`users.email_verified_at IS NOT NULL`.as("isConfirmed"),
] as const;

/** The user who signs in with `login`, a username or an e-mail address in any case. */
export function findUserByLogin(db: Db | Tx, login: string): Promise<UserCard | undefined> {
  return db
    .selectFrom("logins")
    .innerJoin("users", "users.id", "logins.user_id")
    .select(columns)
    .where("logins.name", "=", toLoginName(login))
    .executeTakeFirst();
}

/**
 * The user whose e-mail address this is, in any case. A username is no address, and one that only folds to
 * the same name (ß and ss) is another mailbox: rights and reset links go by this, not by logins.
 */
export async function findUserByEmail(
  db: Db | Tx,
  email: string,
): Promise<(UserCard & { email: string }) | undefined> {
  const user = await findUserByLogin(db, email);
  if (!user || user.email === null || toAddress(user.email) !== toAddress(email)) return undefined;
  return { ...user, email: user.email };
}

function toAddress(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase();
}

/** The users with these ids, to write to them; those who are gone or disabled are missing. */
export function listUsersById(db: Db | Tx, ids: readonly string[]): Promise<UserCard[]> {
  return db
    .selectFrom("users")
    .select(columns)
    .where("id", "in", [...ids])
    .where("disabled_at", "is", null)
    .execute();
}

/** The user with this id. */
export function findUserById(db: Db | Tx, id: string): Promise<UserCard | undefined> {
  return db.selectFrom("users").select(columns).where("id", "=", id).executeTakeFirst();
}
