import { useMemo, useState } from "preact/hooks";
import { startSession } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { go, path, takeParameter, toHref } from "../../browser/router.ts";
import { useSignups } from "../../data/signups.ts";
import { readMe } from "../../data/session.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";
import { CodeForm, isCodeNeeded } from "./code-form.tsx";
import { AuthPage } from "./auth-page.tsx";
import { Providers } from "./providers.tsx";

/** The sign-in screen. At the address of another screen, that screen is shown afterwards. */
export function SignIn() {
  const { code, signIn } = words.value.auth;
  const [isCode, setCode] = useState(false);
  const signups = useSignups();
  const isFailed = useMemo(() => takeParameter("error") !== undefined, []);
  return (
    <AuthPage title={isCode ? code.title : signIn.title}>
      {isFailed && !isCode && (
        <p class="note bad" role="alert">
          {signIn.elsewhere}
        </p>
      )}
      {!isCode && <Providers />}
      <SignInForm onDone={enter} onStep={setCode} />
      {!isCode && signups !== undefined && (
        <p class="soft door-more">
          {signIn.noAccount}{" "}
          {signups === "open" ? (
            <a href={toHref("/signup")}>{signIn.signUp}</a>
          ) : (
            words.value.auth.signUp.restricted[signups]
          )}
        </p>
      )}
    </AuthPage>
  );
}

/** Continues to the requested screen after the sign-in. */
async function enter(): Promise<void> {
  await readMe();
  if (path.peek() === "/signin") go("/projects", { replace: true });
}

interface SignInFormProps {
  onDone: () => Promise<void>;
  /** The known e-mail address. */
  email?: string | undefined;
  submit?: string;
  /** In a dialog: without links to other screens. */
  isAlone?: boolean;
  /** Called when the code form is shown or hidden. */
  onStep?: (isCode: boolean) => void;
}

/** The sign-in form, also used in a dialog. Users with a second factor are asked for a code next. */
export function SignInForm(props: SignInFormProps) {
  const { onDone, email, submit, isAlone = false, onStep } = props;
  const { auth } = words.value;
  const { signIn } = auth;
  const [typed, setTyped] = useState<{ username: string; password: string }>();
  const [isCode, setCode] = useState(false);
  const step = (to: boolean): void => {
    setCode(to);
    onStep?.(to);
  };
  if (isCode && typed)
    return (
      <CodeForm
        submit={submit ?? signIn.button}
        onBack={() => step(false)}
        onCode={async (code) => {
          await send(startSession, { body: { ...typed, code } });
          await onDone();
        }}
      />
    );
  return (
    <Form
      submit={submit ?? signIn.button}
      onSubmit={async ({ username = "", password = "" }) => {
        try {
          await send(startSession, { body: { username, password } });
        } catch (error) {
          if (!isCodeNeeded(error)) throw error;
          setTyped({ username, password });
          step(true);
          return;
        }
        await onDone();
      }}
    >
      <Field
        name="username"
        label={auth.email}
        autoComplete="username"
        value={typed?.username ?? email}
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
