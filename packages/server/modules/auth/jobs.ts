import type { Db } from "../../platform/db/db.ts";
import { deleteExpiredFailures } from "./limits/store.ts";
import { deleteExpiredInvitations } from "./invitations/store.ts";
import { deleteExpiredOneTimeTokens } from "./sessions/one-time-tokens-store.ts";
import { deleteExpiredAccessTokens, deleteIdleSessions } from "./sessions/store.ts";

/**
 * Deletes tokens, invitations, counts of failed sign-ins and remembered addresses that ended before `now`, and sessions
 * that were not used for `idleMs`.
 */
export async function deleteExpired(
  db: Db,
  { now, idleMs }: { now: Date; idleMs: number | undefined },
): Promise<void> {
  if (idleMs !== undefined) await deleteIdleSessions(db, new Date(now.getTime() - idleMs));
  await deleteExpiredAccessTokens(db, now);
  await deleteExpiredFailures(db, now);
  await deleteExpiredOneTimeTokens(db, now);
  await deleteExpiredInvitations(db, now);
}
