import type { Db } from "../../platform/db/db.ts";
import { deleteExpiredClaims } from "./instance/store.ts";
import { deleteExpiredInvitations } from "./invitations/store.ts";
import { deleteExpiredAttempts } from "./limits/store.ts";
import { deleteExpiredOneTimeTokens } from "./sessions/one-time-tokens-store.ts";
import { deleteExpiredAccessTokens, deleteIdleSessions } from "./sessions/store.ts";

/** Deletes tokens, invitations and counted attempts that expired before `now`, and sessions that were idle for `idleMs`. */
export async function deleteExpired(
  db: Db,
  { now, idleMs }: { now: Date; idleMs: number | undefined },
): Promise<void> {
  if (idleMs !== undefined) await deleteIdleSessions(db, new Date(now.getTime() - idleMs));
  await deleteExpiredAccessTokens(db, now);
  await deleteExpiredAttempts(db, now);
  await deleteExpiredOneTimeTokens(db, now);
  await deleteExpiredInvitations(db, now);
  await deleteExpiredClaims(db, now);
}
