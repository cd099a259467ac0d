import { type Signal, signal } from "@preact/signals";
import { type User, endSession, getMe } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { type Ask, onRefusal, send } from "../api/send.ts";

/** Says that this browser may have a session. Nothing secret: the token is in a cookie that no script reads. */
const HINT = "avow-session";

/** Who is signed in; null: nobody; undefined: not known yet. */
export const me = signal<User | null | undefined>(undefined);

/** What waits for a dialog's answer; undefined: nothing does. */
type Waiting = { done: (isResolved: boolean) => void } | undefined;
/** What waits for somebody to sign in again. */
export const renewal = signal<Waiting>(undefined);
/** What waits for whoever is signed in to show that it is they. */
export const confirmation = signal<Waiting>(undefined);

const askToSignIn = openAsk(renewal);
const askToConfirm = openAsk(confirmation);

/** Finds out who is signed in. @throws Problem where the service does not answer */
export async function findSession(): Promise<void> {
  if (localStorage.getItem(HINT) === null) me.value = null;
  else await readMe();
}

/** Reads who is signed in now: after a sign-in, or at the start. @throws Problem */
export async function readMe(): Promise<void> {
  try {
    me.value = await send(getMe, undefined, { skipsRefusalHook: true });
    localStorage.setItem(HINT, "1");
    onRefusal("unauthenticated", askToSignIn);
    onRefusal("confirmation-needed", askToConfirm);
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

/** Somebody signed in again for a dialog: what waited goes on where it is the same person. */
export async function resume(waiting: Signal<Waiting> = renewal): Promise<void> {
  const before = me.peek();
  await readMe();
  const isSame = before?.id === me.peek()?.id;
  waiting.peek()?.done(isSame);
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
  onRefusal("unauthenticated", undefined);
  onRefusal("confirmation-needed", undefined);
  me.value = null;
}

/** Opens a dialog, once for all calls that wait for it. */
function openAsk(waiting: Signal<Waiting>): Ask {
  let asking: Promise<boolean> | undefined;
  let resolvedAt = Number.NEGATIVE_INFINITY;
  const open = async (): Promise<boolean> => {
    try {
      const isResolved = await new Promise<boolean>((done) => {
        waiting.value = { done };
      });
      if (isResolved) resolvedAt = performance.now();
      return isResolved;
    } finally {
      waiting.value = undefined;
      asking = undefined;
    }
  };
  return (sentAt) => (sentAt < resolvedAt ? Promise.resolve(true) : (asking ??= open()));
}
