import type { Ctx } from "../../../kernel/ctx.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { Fault } from "../../../platform/errors.ts";
import { getCaller } from "../users/users.ts";
import { type Confirmed, findConfirmed } from "./store.ts";

/** How long after a sign-in or a confirmation the sign-in methods of an account can be changed. */
const RECENT_MS = 15 * 60_000;

/** The end of the time in which a session confirmed at `at` is recent. */
export const toRecentUntil = (at: Date): Date => new Date(at.getTime() + RECENT_MS);

/**
 * Protects changes of sign-in methods, the deletion of an account and an operator's changes from a session that was left open or stolen: its
 * user must have signed in or confirmed it within 15 minutes, with the second factor if there is one. Confirmations
 * from before the factor was enabled do not count. Returns the time of the confirmation.
 *
 * @throws Fault confirmation-needed, unauthenticated if the session has just ended
 */
export async function assertRecent(
  caller: Pick<Ctx, "actor" | "scope" | "now"> & { tx: Db | Tx },
): Promise<Date> {
  const confirmed = await getConfirmed(caller.tx, caller);
  if (!isRecent(confirmed, caller.now)) throw confirmationNeeded();
  return confirmed.at;
}

/**
 * The same for a password change, which requires the password anyway: without a second factor that is enough.
 * @throws Fault as `assertRecent`
 */
export async function assertFactorRecent(
  db: Db | Tx,
  caller: Pick<Ctx, "actor" | "scope" | "now">,
): Promise<void> {
  const confirmed = await getConfirmed(db, caller);
  if (confirmed.factorAt !== null && !isRecent(confirmed, caller.now)) throw confirmationNeeded();
}

async function getConfirmed(
  db: Db | Tx,
  { actor, scope }: Pick<Ctx, "actor" | "scope">,
): Promise<Confirmed> {
  const confirmed = await findConfirmed(db, scope, getCaller(actor).tokenId);
  if (!confirmed) throw new Fault("unauthenticated", "Your session has ended.");
  return confirmed;
}

function confirmationNeeded(): Fault {
  return new Fault(
    "confirmation-needed",
    "Confirm your identity: send your password, or a code of your second factor, to POST /v1/auth/confirm, or sign in again.",
  );
}

const isRecent = ({ at, factorAt }: Confirmed, now: Date): boolean =>
  toRecentUntil(at) > now && (factorAt === null || at >= factorAt);
