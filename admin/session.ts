import { signal } from "@preact/signals";
import { type User, endSession, getMe } from "./api/interface.ts";
import { Problem } from "./api/problem.ts";
import { onSessionEnd, send } from "./api/send.ts";

/** Says that this browser may have a session. Nothing secret: the token is in a cookie that no script reads. */
const HINT = "avow-session";

/** Who is signed in; null: nobody; undefined: not known yet. */
export const me = signal<User | null | undefined>(undefined);

/** What waits for somebody to sign in again; undefined: nothing does. */
export const renewal = signal<{ done: (isSame: boolean) => void } | undefined>(undefined);

let renewing: Promise<boolean> | undefined;

/** Finds out who is signed in. @throws Problem where the service does not answer */
export async function findSession(): Promise<void> {
  if (localStorage.getItem(HINT) === null) me.value = null;
  else await readMe();
}

/** Reads who is signed in now: after a sign-in, or at the start. @throws Problem */
export async function readMe(): Promise<void> {
  onSessionEnd(undefined);
  try {
    me.value = await send(getMe);
    localStorage.setItem(HINT, "1");
    onSessionEnd(askAgain);
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== "unauthenticated") throw error;
    forget();
  }
}

/** Signs out: the token is revoked, and the cookie goes. @throws Problem */
export async function signOut(): Promise<void> {
  await send(endSession);
  forget();
}

/** Somebody signed in again in the dialog: what waited goes on where it is the same person. */
export async function resume(): Promise<void> {
  const before = me.peek();
  await readMe();
  const isSame = before?.id === me.peek()?.id;
  renewal.peek()?.done(isSame);
  // What is shown belongs to somebody else.
  if (!isSame) location.reload();
}

/** Nobody signs in again: what waited fails, and the app asks who is there. */
export function leave(): void {
  renewal.peek()?.done(false);
  forget();
}

function forget(): void {
  localStorage.removeItem(HINT);
  onSessionEnd(undefined);
  me.value = null;
}

/** Opens the dialog, once for all calls that found the session ended. */
function askAgain(): Promise<boolean> {
  renewing ??= new Promise<boolean>((done) => {
    renewal.value = { done };
  }).finally(() => {
    renewal.value = undefined;
    renewing = undefined;
  });
  return renewing;
}
