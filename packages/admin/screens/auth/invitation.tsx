import { useMemo, useState } from "preact/hooks";
import {
  type Invitation as Invited,
  acceptInvitation,
  getInvitation,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { go, takeParameter } from "../../browser/router.ts";
import { useSignups } from "../../data/signups.ts";
import { me, readMe } from "../../data/session.ts";
import { Form } from "../../ui/forms/form.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { words } from "../../words/words.ts";
import { AuthPage } from "./auth-page.tsx";
import { Providers } from "./providers.tsx";
import { SignInForm } from "./sign-in.tsx";
import { SignUpForm } from "./sign-up.tsx";

/** Accepts an e-mailed invitation as the signed-in user, with a new account, or after signing in. */
export function Invitation() {
  const { invitation } = words.value.auth;
  const token = useMemo(() => takeParameter("token") ?? "-", []);
  const loaded = useLoad(() => send(getInvitation, { path: { token } }), [token]);
  if (loaded.state === "failed" && loaded.problem.kind === "not-found")
    return (
      <AuthPage title={invitation.expiredTitle} lead={invitation.expired}>
        {null}
      </AuthPage>
    );
  return (
    <AuthPage
      title={invitation.title}
      brand={loaded.state === "ready" ? loaded.value.brand : undefined}
    >
      <LoadView of={loaded}>{(invited) => <Accept token={token} invited={invited} />}</LoadView>
    </AuthPage>
  );
}

function Accept({ token, invited }: { token: string; invited: Invited }) {
  const { auth, team } = words.value;
  const { invitation } = auth;
  const [isKnown, setKnown] = useState(false);
  const canSignUp = useSignups() !== "closed";
  const hasAccount = isKnown || !canSignUp;
  const { title } = invited.data;
  const enter = async (): Promise<void> => {
    await readMe();
    const isProject = invited.data.collection === "projects";
    go(isProject ? `/projects/${invited.data.id}` : "/projects", { replace: true });
  };
  const { boundToAddress: isBound, addressHint } = invited;
  const email = invited.email ?? undefined;
  const [isRefused, setRefused] = useState(false);
  const accept = async (): Promise<void> => {
    setRefused(false);
    try {
      await send(acceptInvitation, { path: { token } });
    } catch (error) {
      if (!isBound || asProblem(error).kind !== "forbidden") throw error;
      await readMe();
      setRefused(true);
      return;
    }
    await enter();
  };
  return (
    <>
      <p>{invitation.lead(invited.invitedBy.displayName, title, team.roles[invited.role])}</p>
      {isBound && <p class="soft">{invitation.bound(addressHint)}</p>}
      {me.value && (
        <>
          <p class="soft">{invitation.acceptAs(me.value.displayName)}</p>
          {isBound && !me.value.emailConfirmed && <p>{invitation.toConfirm}</p>}
          {isRefused && (
            <p class="note bad" role="alert">
              {invitation.otherAddress}
            </p>
          )}
          <Form submit={invitation.accept} onSubmit={accept} />
        </>
      )}
      {me.value === null && <Providers pending={{ invitationToken: token }} />}
      {me.value === null && hasAccount && (
        <SignInForm email={email} submit={invitation.signIn} onDone={accept} />
      )}
      {me.value === null && !hasAccount && (
        <SignUpForm
          email={email}
          tokens={{ invitationToken: token }}
          submit={isBound ? invitation.signUpOnly : invitation.signUp}
          onDone={isBound ? readMe : enter}
        />
      )}
      {me.value === null && canSignUp && (
        <p class="door-more">
          <button type="button" class="link" onClick={() => setKnown(!hasAccount)}>
            {hasAccount ? invitation.noAccount : invitation.hasAccount}
          </button>
        </p>
      )}
    </>
  );
}
