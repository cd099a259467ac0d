import { useMemo, useState } from "preact/hooks";
import {
  type Invitation as Invited,
  acceptInvitation,
  getInvitation,
} from "@avow/client/operations";
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
    <AuthPage title={invitation.title}>
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
  const accept = async (): Promise<void> => {
    await send(acceptInvitation, { path: { token } });
    await enter();
  };
  return (
    <>
      <p>{invitation.lead(invited.invitedBy.displayName, title, team.roles[invited.role])}</p>
      {me.value && (
        <>
          <p class="soft">{invitation.acceptAs(me.value.displayName)}</p>
          <Form submit={invitation.accept} onSubmit={accept} />
        </>
      )}
      {me.value === null && <Providers pending={{ invitationToken: token }} />}
      {me.value === null && hasAccount && (
        <SignInForm email={invited.email} submit={invitation.signIn} onDone={accept} />
      )}
      {me.value === null && !hasAccount && (
        <SignUpForm
          email={invited.email}
          tokens={{ invitationToken: token }}
          submit={invitation.signUp}
          onDone={enter}
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
