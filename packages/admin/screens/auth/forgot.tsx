import { useState } from "preact/hooks";
import { askPasswordReset } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toHref } from "../../browser/router.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";
import { AuthPage } from "./auth-page.tsx";

/** Requests a link that sets a new password. The response is the same whether the address has an account or not. */
export function Forgot() {
  const { auth } = words.value;
  const { forgot } = auth;
  const [sentTo, setSentTo] = useState<string>();
  const back = (
    <p class="door-more">
      <a href={toHref("/signin")}>{forgot.back}</a>
    </p>
  );
  if (sentTo !== undefined)
    return (
      <AuthPage title={forgot.sentTitle} lead={forgot.sent(sentTo)}>
        {back}
      </AuthPage>
    );
  return (
    <AuthPage title={forgot.title} lead={forgot.lead}>
      <Form
        submit={forgot.button}
        onSubmit={async ({ email = "" }) => {
          const resetUrl = location.origin + toHref("/reset");
          await send(askPasswordReset, { body: { email, resetUrl } });
          setSentTo(email);
        }}
      >
        <Field name="email" label={auth.email} type="email" autoComplete="username" required />
      </Form>
      {back}
    </AuthPage>
  );
}
