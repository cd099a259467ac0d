import {
  askEmailValidation,
  askPasswordReset,
  updateMe,
  updatePassword,
} from "@avow/client/operations";
import { asProblem } from "../../api/problem.ts";
import { send } from "../../api/send.ts";
import { toHref } from "../../browser/router.ts";
import { me, readMe } from "../../data/session.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Page } from "../../ui/page.tsx";
import { Badge, Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { accountWords } from "../../words/account/words.ts";
import { NewPassword, toPasswordText } from "../auth/new-password.tsx";
import { FactorCard } from "./factor.tsx";
import { KeysCard } from "./keys.tsx";
import { DeleteAccountCard } from "./delete-account.tsx";
import { NotificationChoices } from "./notification-choices.tsx";
import { SessionsCard } from "./sessions.tsx";
import { SignInMethodsCard } from "./sign-in-methods.tsx";

/** The account: name, sign-in methods, second factor, notifications, sessions and API keys. */
export default function Account() {
  const account = accountWords.value;
  const user = me.value;
  if (!user) return null;
  const isLocal = "local" in user.identities;
  const { email } = user;
  const lead = email !== null && (
    <>
      {email}{" "}
      <Badge tone={user.emailConfirmed ? "good" : "warn"}>
        {user.emailConfirmed ? account.emailConfirmed : account.emailUnconfirmed}
      </Badge>{" "}
      {!user.emailConfirmed && <AskConfirmation email={email} />}
    </>
  );
  return (
    <Page title={account.title} lead={lead}>
      <div class="cards">
        <Card title={account.name}>
          <Form
            submit={account.save}
            onSubmit={async ({ displayName = "" }) => {
              await send(updateMe, { body: { displayName } });
              await readMe();
              notify(account.saved);
            }}
          >
            <Field
              name="displayName"
              label={account.name}
              isLabelHidden
              value={user.displayName}
              maxLength={200}
              autoComplete="name"
              required
            />
          </Form>
        </Card>
        <SignInMethodsCard user={user} />
        <FactorCard user={user} />
        {isLocal ? <PasswordCard /> : email !== null && <FirstPasswordCard email={email} />}
        <NotificationChoices />
        <SessionsCard />
        <KeysCard />
        <DeleteAccountCard user={user} />
      </div>
    </Page>
  );
}

/** Sends the link that confirms an e-mail address again. */
function AskConfirmation({ email }: { email: string }) {
  const account = accountWords.value;
  const ask = async (): Promise<void> => {
    try {
      await send(askEmailValidation);
      notify(account.confirmSent(email));
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  return (
    <button type="button" class="link" onClick={() => void ask()}>
      {account.confirm}
    </button>
  );
}

/**
 * For users who signed up with a provider and have no password: an e-mailed link sets one, which also proves that the
 * address is theirs.
 */
function FirstPasswordCard({ email }: { email: string }) {
  const account = accountWords.value;
  return (
    <Card title={account.password} lead={account.noPassword}>
      <Form
        submit={account.askPassword}
        onSubmit={async () => {
          const resetUrl = location.origin + toHref("/reset");
          await send(askPasswordReset, { body: { email, resetUrl } });
          notify(account.passwordSent(email));
        }}
      />
    </Card>
  );
}

function PasswordCard() {
  const account = accountWords.value;
  return (
    <Card title={account.password}>
      <Form
        submit={account.changePassword}
        toText={toPasswordText}
        isReset
        onSubmit={async ({ current = "", new: next = "" }) => {
          await send(updatePassword, { body: { current, new: next, confirm: next } });
          notify(account.passwordChanged);
        }}
      >
        <Field
          name="current"
          label={account.currentPassword}
          type="password"
          autoComplete="current-password"
          required
        />
        <NewPassword name="new" label={account.newPassword} />
      </Form>
    </Card>
  );
}
