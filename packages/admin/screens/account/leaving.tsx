import { useState } from "preact/hooks";
import { type User, deleteMe } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { signOut } from "../../data/session.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { tell } from "../../ui/toast.tsx";
import { words } from "../../words/words.ts";
import { accountWords } from "../../words/account/words.ts";

/** Deletes the account, for who types what it is called. */
export function LeavingCard({ user }: { user: User }) {
  const { leaving } = accountWords.value;
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title={leaving.title}
      lead={leaving.lead}
      action={
        <button type="button" class="button small danger" onClick={() => setAsking(true)}>
          {leaving.button}
        </button>
      }
    >
      {isAsking && <LeavingDialog user={user} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function LeavingDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { leaving } = accountWords.value;
  const [alone, setAlone] = useState<readonly string[]>([]);
  const leave = async ({ confirm = "" }: Readonly<Record<string, string>>) => {
    setAlone([]);
    try {
      await send(deleteMe, { body: { confirm } });
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== "conflict") throw error;
      setAlone(error.errors.map(({ message }) => message.replace(/ has no other owner$/, "")));
      return;
    }
    await signOut();
    tell(leaving.done);
  };
  return (
    <Dialog title={leaving.title} lead={leaving.text} onClose={onClose}>
      <Form
        submit={leaving.button}
        isDanger
        onSubmit={leave}
        toText={() => leaving.wrongName(user.username)}
        aside={
          <button type="button" class="button ghost" onClick={onClose}>
            {words.value.app.cancel}
          </button>
        }
      >
        <Field
          name="confirm"
          label={leaving.confirm(user.username)}
          isCode
          autoComplete="off"
          required
        />
        {alone.length > 0 && (
          <div class="note bad" role="alert">
            <p>{leaving.alone}</p>
            <ul>
              {alone.map((title) => (
                <li key={title}>{title}</li>
              ))}
            </ul>
          </div>
        )}
      </Form>
    </Dialog>
  );
}
