import type { Db } from "../../platform/db/db.ts";
import { deleteExpiredFailures } from "./failures-store.ts";
import { deleteExpiredInvitations } from "./invitations-store.ts";
import { deleteExpiredOneTimeTokens } from "./one-time-store.ts";
import { deleteExpiredAccessTokens } from "./store.ts";

/** Deletes tokens, invitations, counts of failed sign-ins and remembered addresses that ended before `now`. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await deleteExpiredAccessTokens(db, now);
  await deleteExpiredFailures(db, now);
  await deleteExpiredOneTimeTokens(db, now);
  await deleteExpiredInvitations(db, now);
}
