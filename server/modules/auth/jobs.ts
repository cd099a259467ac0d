import type { Db } from "../../platform/db/db.ts";
import { deleteExpiredFailures } from "./failures-store.ts";
import { deleteExpiredAccessTokens } from "./store.ts";

/** Deletes tokens, counts of failed sign-ins and remembered addresses that ended before `now`. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await deleteExpiredAccessTokens(db, now);
  await deleteExpiredFailures(db, now);
}
