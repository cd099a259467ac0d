import { useMemo, useState } from "preact/hooks";
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
            const isUsed = problem.errors.some(({ path }) => path === "/claimToken");
            if (isUsed) setExpired(true);
            return isUsed;
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

async function enter(): Promise<void> {
  await readMe();
  go("/instance", { replace: true });
}
