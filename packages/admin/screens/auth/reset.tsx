import { useMemo, useState } from "preact/hooks";
import { startSessionByReset } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { go, takeParameter, toHref } from "../../browser/router.ts";
import { readMe } from "../../data/session.ts";
import { Form } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";
import { CodeForm, isCodeNeeded } from "./code-form.tsx";
import { AuthPage } from "./auth-page.tsx";
import { NewPassword, toPasswordText } from "./new-password.tsx";

/** Sets a new password by an e-mailed link and signs in. A code of the second factor may be needed next. */
export function Reset() {
  const { auth } = words.value;
  const { reset } = auth;
  const token = useMemo(() => takeParameter("token"), []);
  const [isExpired, setExpired] = useState(token === undefined);
  /** The new password, while the code form is shown. */
  const [chosen, setChosen] = useState<string>();
  if (isExpired || token === undefined)
    return (
      <AuthPage title={reset.expiredTitle} lead={reset.expired}>
        <p class="door-more">
          <a href={toHref("/forgot")}>{reset.again}</a>
        </p>
      </AuthPage>
    );
  const set = async (body: { password: string; code?: string }): Promise<void> => {
    try {
      await send(startSessionByReset, { body: { token, ...body } });
    } catch (error) {
      const isOver = error instanceof Problem && error.errors.some(({ path }) => path === "/token");
      if (isOver) setExpired(true);
      else if (isCodeNeeded(error)) setChosen(body.password);
      else throw error;
      return;
    }
    await readMe();
    go("/projects", { replace: true });
  };
  if (chosen !== undefined)
    return (
      <AuthPage title={auth.code.title}>
        <CodeForm
          submit={reset.button}
          onBack={() => setChosen(undefined)}
          onCode={(code) => set({ password: chosen, code })}
        />
      </AuthPage>
    );
  return (
    <AuthPage title={reset.title} lead={reset.lead}>
      <Form
        submit={reset.button}
        toText={toPasswordText}
        onSubmit={({ password = "" }) => set({ password })}
      >
        <NewPassword label={reset.password} />
      </Form>
    </AuthPage>
  );
}
