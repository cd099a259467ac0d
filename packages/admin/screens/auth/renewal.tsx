import { leave, me, resume } from "../../data/session.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { words } from "../../words/words.ts";
import { SignInForm } from "./sign-in.tsx";

/** Asks the user to sign in again in a dialog, after the session has ended. */
export function Renewal() {
  const { renew } = words.value.auth;
  return (
    <Dialog title={renew.title} lead={renew.lead}>
      <SignInForm email={me.value?.email ?? undefined} onDone={() => resume()} isAlone />
      <button type="button" class="link" onClick={leave}>
        {renew.leave}
      </button>
    </Dialog>
  );
}
