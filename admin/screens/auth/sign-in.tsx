import { useMemo } from "preact/hooks";
import { startSession } from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { go, path, takeParameter, toHref } from "../../router.ts";
import { readMe } from "../../session.ts";
import { Field, Form } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";
import { Door } from "./door.tsx";
import { Providers } from "./providers.tsx";

/** Signing in; where it stands in for another screen, that one is there afterwards. */
export function SignIn() {
  const { signIn } = words.value.auth;
  const isFailed = useMemo(() => takeParameter("error") !== undefined, []);
  return (
    <Door title={signIn.title}>
      {isFailed && (
        <p class="note bad" role="alert">
          {signIn.elsewhere}
        </p>
      )}
      <Providers />
      <SignInForm onDone={enter} />
      <p class="soft door-more">
        {signIn.noAccount} <a href={toHref("/signup")}>{signIn.signUp}</a>
      </p>
    </Door>
  );
}

/** Goes on where somebody wanted to go before they signed in. */
async function enter(): Promise<void> {
  await readMe();
  if (path.peek() === "/signin") go("/projects", { replace: true });
}

interface SignInFormProps {
  onDone: () => Promise<void>;
  /** Whose address is known already. */
  email?: string | undefined;
  submit?: string;
  /** Beside what must not be left: nothing leads elsewhere. */
  isAlone?: boolean;
}

/** The form itself, which stands in a dialog too. */
export function SignInForm({ onDone, email, submit, isAlone = false }: SignInFormProps) {
  const { auth } = words.value;
  const { signIn } = auth;
  return (
    <Form
      submit={submit ?? signIn.button}
      onSubmit={async ({ username = "", password = "" }) => {
        await send(startSession, { body: { username, password } });
        await onDone();
      }}
    >
      <Field
        name="username"
        label={auth.email}
        autoComplete="username"
        value={email}
        inputMode="email"
        required
      />
      <Field
        name="password"
        label={auth.password}
        type="password"
        autoComplete="current-password"
        required
      />
      {!isAlone && (
        <p class="field-aside">
          <a href={toHref("/forgot")}>{signIn.forgot}</a>
        </p>
      )}
    </Form>
  );
}
