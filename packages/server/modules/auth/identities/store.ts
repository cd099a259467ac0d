import { type Insertable, type Selectable, sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import type { Tables } from "../../../platform/db/tables.ts";
import { userIdOf } from "../users/store.ts";

export type Identity = Omit<Selectable<Tables["identities"]>, "password_hash" | "user_id">;

export function listIdentities(db: Db | Tx, scope: Scope): Promise<Identity[]> {
  return db
    .selectFrom("identities")
    .select(["provider", "subject", "label", "created_at"])
    .where("user_id", "=", userIdOf(scope))
    .orderBy("created_at")
    .orderBy("provider")
    .limit(100)
    .execute();
}

export async function insertIdentity(
  tx: Tx,
  identity: Insertable<Tables["identities"]>,
): Promise<void> {
  await tx.insertInto("identities").values(identity).execute();
}

/** The user of an identity; undefined when no user has it. */
export async function findIdentityUser(
  tx: Tx,
  { provider, subject }: { provider: string; subject: string },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom("identities")
    .select("user_id")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .executeTakeFirst();
  return row?.user_id;
}

/** Locks an identity that may not exist yet until the transaction ends. */
export async function lockIdentity(
  tx: Tx,
  { provider, subject }: { provider: string; subject: string },
): Promise<void> {
  const name = `identity ${provider} ${subject}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Inserts an identity unless a user has it already; false when one does. */
export async function insertFreeIdentity(
  tx: Tx,
  identity: Insertable<Tables["identities"]>,
): Promise<boolean> {
  const row = await tx
    .insertInto("identities")
    .values(identity)
    .onConflict((conflict) => conflict.columns(["provider", "subject"]).doNothing())
    .returning("subject")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteIdentity(
  tx: Tx,
  { provider, subject }: { provider: string; subject: string },
): Promise<void> {
  await tx
    .deleteFrom("identities")
    .where("provider", "=", provider)
    .where("subject", "=", subject)
    .execute();
}
