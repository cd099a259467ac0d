import { useMemo, useState } from "preact/hooks";
import { Problem } from "@avow/client/problem";
import { go, takeFragment } from "../../browser/router.ts";
import { claim } from "../../data/pending.ts";
import { me, readMe } from "../../data/session.ts";
import { Form } from "../../ui/forms/form.tsx";
import { words } from "../../words/words.ts";
import { AuthPage } from "./auth-page.tsx";
import { Providers } from "./providers.tsx";
import { SignInForm } from "./sign-in.tsx";
import { SignUpForm } from "./sign-up.tsx";

/** Makes an account the operator, by the link that the start prints: a new one, or that of a user who signs in. */
export function Claim() {
  const { auth } = words.value;
  const token = useMemo(() => takeFragment(), []);
  const [isExpired, setExpired] = useState(token === undefined);
  const [hasAccount, setHasAccount] = useState(false);
  if (isExpired || token === undefined)
    return (
      <AuthPage title={auth.reset.expiredTitle} lead={auth.claim.expired}>
        {null}
      </AuthPage>
    );
  const enter = async (): Promise<void> => {
    await readMe();
    go("/instance", { replace: true });
  };
  const claimAs = async (): Promise<void> => {
    if (await claim(token)) await enter();
    else setExpired(true);
  };
  return (
    <AuthPage title={auth.claim.title} lead={auth.claim.lead}>
      {me.value && (
        <>
          <p class="soft">{auth.invitation.acceptAs(me.value.displayName)}</p>
          <Form submit={auth.claim.button} onSubmit={claimAs} />
        </>
      )}
      {me.value === null && <Providers pending={{ claimToken: token }} />}
      {me.value === null && hasAccount && (
        <SignInForm submit={auth.claim.signIn} onDone={claimAs} />
      )}
      {me.value === null && !hasAccount && (
        <SignUpForm
          tokens={{ claimToken: token }}
          submit={auth.claim.signUp}
          onDone={enter}
          onProblem={(problem) => {
            if (isUsed(problem)) setExpired(true);
          }}
        />
      )}
      {me.value === null && (
        <p class="door-more">
          <button type="button" class="link" onClick={() => setHasAccount(!hasAccount)}>
            {hasAccount ? auth.invitation.noAccount : auth.invitation.hasAccount}
          </button>
        </p>
      )}
    </AuthPage>
  );
}

const isUsed = (problem: Problem): boolean =>
  problem.errors.some(({ path }) => path === "/claimToken");
