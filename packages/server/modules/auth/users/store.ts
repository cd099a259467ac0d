import type { Insertable, Updateable } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { UsersTable } from "../../../platform/db/tables.ts";

/** The user of a scope; "" for the system. */
export function userIdOf(scope: Scope): string {
  return scope.kind === "user" ? scope.userId : "";
}

export async function insertUser(tx: Tx, user: Insertable<UsersTable>): Promise<void> {
  await tx.insertInto("users").values(user).execute();
}

/**
 * Claims names that a user signs in with; returns those that were free. Waits for another transaction that is claiming the
 * same name. Names are claimed in one order, which prevents deadlocks.
 */
export async function insertLogins(tx: Tx, userId: string, names: string[]): Promise<string[]> {
  const rows = await tx
    .insertInto("logins")
    .values([...new Set(names)].toSorted().map((name) => ({ name, user_id: userId })))
    .onConflict((conflict) => conflict.column("name").doNothing())
    .returning("name")
    .execute();
  return rows.map((row) => row.name);
}

export function findUser(db: Db | Tx, scope: Scope): Promise<UsersTable | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", userIdOf(scope)).executeTakeFirst();
}

/** The user with this id, which must exist. */
export function getUserById(db: Db | Tx, id: string): Promise<UsersTable> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
}

/** The user's sign-in and display names; empty for a deleted user. */
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

/** Locks a user against other changes until the transaction ends. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
}

export async function updateUser(
  tx: Tx,
  scope: Scope,
  changes: Updateable<UsersTable>,
): Promise<void> {
  await updateUserById(tx, userIdOf(scope), changes);
}

export async function updateUserById(
  tx: Tx,
  id: string,
  changes: Updateable<UsersTable>,
): Promise<void> {
  await tx.updateTable("users").set(changes).where("id", "=", id).execute();
}

/** Deletes a user with its names, identities, tokens, roles and sent invitations. */
export async function deleteUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom("users").where("id", "=", userId).execute();
}
