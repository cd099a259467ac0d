import { startSessionBySignup } from "@avow/client/operations";
import type { Problem } from "@avow/client/problem";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { go, toHref } from "../../browser/router.ts";
import { useSignups } from "../../data/signups.ts";
import { readMe } from "../../data/session.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { words } from "../../words/words.ts";
import { AuthPage } from "./auth-page.tsx";
import { NewPassword, toPasswordText } from "./new-password.tsx";
import { Providers } from "./providers.tsx";

/** The sign-up screen, which leads to a new project. */
export function SignUp() {
  const { signUp } = words.value.auth;
  const signups = useSignups();
  if (signups === undefined)
    return (
      <AuthPage title={signUp.title}>
        <Skeleton />
      </AuthPage>
    );
  if (signups !== "open")
    return (
      <AuthPage title={signUp.title} lead={signUp.restricted[signups]}>
        <p class="soft door-more">
          {signUp.hasAccount} <a href={toHref("/signin")}>{signUp.signIn}</a>
        </p>
      </AuthPage>
    );
  return (
    <AuthPage title={signUp.title} lead={signUp.lead}>
      <Providers />
      <SignUpForm
        onDone={async () => {
          await readMe();
          go("/projects/new", { replace: true });
        }}
      />
      <p class="soft door-more">
        {signUp.hasAccount} <a href={toHref("/signin")}>{signUp.signIn}</a>
      </p>
    </AuthPage>
  );
}

interface SignUpFormProps {
  onDone: () => Promise<void>;
  email?: string | undefined;
  /** Tokens that allow the sign-up if it is not open to everyone. */
  tokens?: { invitationToken?: string; claimToken?: string };
  submit?: string;
  /** Called with an error; returns whether it is handled, so that the form does not show it. */
  onProblem?: (problem: Problem) => boolean;
}

/** The sign-up form, also used to accept an invitation and to claim the installation. */
export function SignUpForm({ onDone, email, tokens = {}, submit, onProblem }: SignUpFormProps) {
  const { auth } = words.value;
  return (
    <Form
      submit={submit ?? auth.signUp.button}
      toText={toPasswordText}
      onSubmit={async ({ email: address = "", password = "" }) => {
        try {
          await send(startSessionBySignup, { body: { email: address, password, ...tokens } });
        } catch (error) {
          if (onProblem?.(asProblem(error))) return;
          throw error;
        }
        await onDone();
      }}
    >
      <Field
        name="email"
        label={auth.email}
        type="email"
        autoComplete="username"
        value={email}
        required
      />
      <NewPassword />
    </Form>
  );
}
