import { useState } from "preact/hooks";
import { type User, deleteMe } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { send } from "../../api/send.ts";
import { signOut } from "../../data/session.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { words } from "../../words/words.ts";
import { accountWords } from "../../words/account/words.ts";

/** Deletes the account, after the user has typed their username. */
export function DeleteAccountCard({ user }: { user: User }) {
  const { deletion } = accountWords.value;
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title={deletion.title}
      lead={deletion.lead}
      action={
        <button type="button" class="button small danger" onClick={() => setAsking(true)}>
          {deletion.button}
        </button>
      }
    >
      {isAsking && <DeleteAccountDialog user={user} onClose={() => setAsking(false)} />}
    </Card>
  );
}

function DeleteAccountDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { deletion } = accountWords.value;
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
    notify(deletion.done);
  };
  return (
    <Dialog title={deletion.title} lead={deletion.text} onClose={onClose}>
      <Form
        submit={deletion.button}
        isDanger
        onSubmit={leave}
        toText={() => deletion.wrongName(user.username)}
        aside={
          <button type="button" class="button ghost" onClick={onClose}>
            {words.value.app.cancel}
          </button>
        }
      >
        <Field
          name="confirm"
          label={deletion.confirm(user.username)}
          isCode
          autoComplete="off"
          required
        />
        {alone.length > 0 && (
          <div class="note bad" role="alert">
            <p>{deletion.alone}</p>
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
