import { acceptInvitation, claimInstance } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../api/send.ts";

/** The action that continues after a provider's sign-in. */
export type Pending = { invitationToken: string } | { claimToken: string };

/** Kept for this tab only, and removed by the next sign-in with a provider. */
const KEY = "avow-pending";

export function keepPending(pending: Pending | undefined): void {
  if (pending) sessionStorage.setItem(KEY, JSON.stringify(pending));
  else sessionStorage.removeItem(KEY);
}

/** Completes it after the sign-in; returns the path of the next screen. @throws Problem */
export async function completePending(): Promise<string> {
  const kept = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (kept === null) return "/projects";
  // Only this app writes the entry, so the shape is known.
  const pending = JSON.parse(kept) as Pending;
  if ("invitationToken" in pending) {
    const path = { token: pending.invitationToken };
    // A new account has accepted it already.
    await send(acceptInvitation, { path }).catch(ignoreUsed);
    return "/projects";
  }
  const isClaimed = await claim(pending.claimToken);
  return isClaimed ? "/instance" : "/claim";
}

/** Makes the user an operator; false if the link was used or has expired. @throws Problem */
export async function claim(token: string): Promise<boolean> {
  try {
    await send(claimInstance, { body: { token } });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.errors.some(({ path }) => path === "/token"))
      return false;
    throw error;
  }
}

function ignoreUsed(error: unknown): void {
  if (!(error instanceof Problem) || error.kind !== "not-found") throw error;
}
