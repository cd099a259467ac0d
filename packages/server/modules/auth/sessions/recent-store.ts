import { sql } from "kysely";
import type { Scope } from "../../../kernel/actor.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";

/** When the user of a session showed last that it is they, and when a second factor was turned on, if one was. */
export interface Confirmed {
  at: Date;
  factorAt: Date | null;
}

/** Of a session of the scope's; undefined where it has ended. */
export function findConfirmed(
  db: Db | Tx,
  scope: Scope,
  tokenId: string,
): Promise<Confirmed | undefined> {
  return db
    .selectFrom("access_tokens")
    .leftJoin("factors", "factors.user_id", "access_tokens.user_id")
    .select([
      sql<Date>`coalesce(access_tokens.confirmed_at, access_tokens.created_at)`.as("at"),
      "factors.confirmed_at as factorAt",
    ])
    .where("access_tokens.user_id", "=", scope.kind === "user" ? scope.userId : "")
    .where("access_tokens.id", "=", tokenId)
    .executeTakeFirst();
}

export async function updateConfirmedAt(tx: Tx, tokenId: string, now: Date): Promise<void> {
  await tx
    .updateTable("access_tokens")
    .set({ confirmed_at: now })
    .where("id", "=", tokenId)
    .execute();
}
