import type { Db, Tx } from "../../../platform/db/db.ts";

/** The user who signs in with a folded name, and the password hash of its local identity, if any. */
export function findCredentials(
  db: Db,
  name: string,
): Promise<{ userId: string; passwordHash: string | null } | undefined> {
  return db
    .selectFrom("logins")
    .leftJoin("identities", (join) =>
      join
        .onRef("identities.user_id", "=", "logins.user_id")
        .on("identities.provider", "=", "local"),
    )
    .select(["logins.user_id as userId", "identities.password_hash as passwordHash"])
    .where("logins.name", "=", name)
    .executeTakeFirst();
}

/** Sets the password of a user, adding a local identity where there is none. */
export async function putPasswordHash(
  tx: Tx,
  { userId, passwordHash, now }: { userId: string; passwordHash: string; now: Date },
): Promise<void> {
  await tx
    .insertInto("identities")
    .values({
      provider: "local",
      subject: userId,
      user_id: userId,
      password_hash: passwordHash,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(["provider", "subject"]).doUpdateSet({ password_hash: passwordHash }),
    )
    .execute();
}

/** The hash of a user's password; undefined for a user without one. */
export async function findPasswordHash(db: Db | Tx, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("identities")
    .select("password_hash")
    .where("provider", "=", "local")
    .where("subject", "=", userId)
    .executeTakeFirst();
  return row?.password_hash ?? undefined;
}
