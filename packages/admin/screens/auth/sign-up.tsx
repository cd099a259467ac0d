import { startSessionBySignup } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { go, toHref } from "../../browser/router.ts";
import { readMe } from "../../data/session.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";
import { AuthPage } from "./auth-page.tsx";
import { NewPassword, toPasswordText } from "./new-password.tsx";
import { Providers } from "./providers.tsx";

/** The sign-up screen, which leads to a new project. */
export function SignUp() {
  const { signUp } = words.value.auth;
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
  invitationToken?: string | undefined;
  submit?: string;
}

/** The sign-up form, also used to accept an invitation. */
export function SignUpForm({ onDone, email, invitationToken, submit }: SignUpFormProps) {
  const { auth } = words.value;
  return (
    <Form
      submit={submit ?? auth.signUp.button}
      toText={toPasswordText}
      onSubmit={async ({ email: address = "", password = "" }) => {
        const invited = invitationToken === undefined ? {} : { invitationToken };
        await send(startSessionBySignup, { body: { email: address, password, ...invited } });
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
