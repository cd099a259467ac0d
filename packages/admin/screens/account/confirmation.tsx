import { useEffect, useRef } from "preact/hooks";
import { confirmSession, listProviders } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { confirmation, me, resume } from "../../data/session.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { accountWords } from "../../words/account/words.ts";
import { words } from "../../words/words.ts";
import { CodeForm } from "../auth/code-form.tsx";
import { signInByPopup } from "../auth/popup.ts";

const answer = (isConfirmed: boolean): void => confirmation.peek()?.done(isConfirmed);

async function confirm(body: { password: string } | { code: string }): Promise<void> {
  await send(confirmSession, { body });
  answer(true);
}

/**
 * Asks the user to confirm their identity before a change of how they sign in: by a code of the second factor,
 * otherwise by the password, otherwise at their provider.
 */
export default function Confirmation() {
  const { confirmation: texts } = accountWords.value;
  const user = me.value;
  if (!user) return null;
  const hasPassword = "local" in user.identities;
  return (
    <Dialog title={texts.title} lead={texts.lead} onClose={() => answer(false)}>
      {user.secondFactor && <CodeForm submit={texts.button} onCode={(code) => confirm({ code })} />}
      {!user.secondFactor && hasPassword && <ByPassword />}
      {!user.secondFactor && !hasPassword && <ByProvider />}
    </Dialog>
  );
}

function ByPassword() {
  const { confirmation: texts } = accountWords.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector("input")?.focus(), []);
  return (
    <div ref={place}>
      <Form
        submit={texts.button}
        toText={() => texts.wrongPassword}
        onSubmit={({ password = "" }) => confirm({ password })}
      >
        <Field
          name="password"
          label={words.value.auth.password}
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
    </div>
  );
}

/** Opens the provider in a popup, so that this page keeps its state. */
function ByProvider() {
  const { signIn } = words.value.auth;
  const loaded = useLoad(() => send(listProviders), []);
  const waiting = useRef<() => void>(undefined);
  useEffect(() => () => waiting.current?.(), []);
  const begin = (signin: string): void => {
    waiting.current?.();
    waiting.current = signInByPopup(signin, () => void resume(confirmation));
  };
  const identities = me.value?.identities ?? {};
  return (
    <LoadView of={loaded}>
      {(providers) => (
        <ul class="providers">
          {providers
            .filter(({ name }) => Object.hasOwn(identities, name))
            .map(({ name, title, links }) => (
              <li key={name}>
                <button type="button" class="button wide" onClick={() => begin(links.signin)}>
                  {signIn.with(title)}
                </button>
              </li>
            ))}
        </ul>
      )}
    </LoadView>
  );
}
