import { type Signal, signal } from "@preact/signals";
import { type User, endSession, getMe } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { removeAllDrafts } from "../browser/draft-storage.ts";
import { type Ask, onRefusal, send } from "../api/send.ts";

/** The key of a flag that this browser may have a session. It is no secret: the token is in an `HttpOnly` cookie. */
const HINT = "avow-session";

/** The signed-in user; null: nobody; undefined: not known yet. */
export const me = signal<User | null | undefined>(undefined);

/** The call that waits for a dialog's result; undefined: none. */
type Waiting = { done: (isResolved: boolean) => void } | undefined;
/** The call that waits for a new sign-in. */
export const renewal = signal<Waiting>(undefined);
/** The call that waits for a confirmation of the user's identity. */
export const confirmation = signal<Waiting>(undefined);

const askToSignIn = openAsk(renewal);
const askToConfirm = openAsk(confirmation);

/** Reads the signed-in user, if this browser may have a session. @throws Problem if the service does not respond */
export async function findSession(): Promise<void> {
  if (localStorage.getItem(HINT) === null) me.value = null;
  else await readMe();
}

/** Reads the signed-in user, after a sign-in or at the start. @throws Problem */
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

/** Signs out: the service revokes the token and clears the cookie. @throws Problem */
export async function signOut(): Promise<void> {
  await send(endSession);
  removeAllDrafts();
  forget();
}

/** Resumes the waiting call after a sign-in in a dialog, if it is the same user. */
export async function resume(waiting: Signal<Waiting> = renewal): Promise<void> {
  const before = me.peek();
  await readMe();
  const isSame = before?.id === me.peek()?.id;
  waiting.peek()?.done(isSame);
  // The screen shows another user's data.
  if (!isSame) location.reload();
}

/** Fails the waiting call and shows the sign-in screen. */
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

/** Opens one dialog for all calls that wait for it. */
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
