import { mailSnippet } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { Field, Form } from "../../ui/forms/form.tsx";
import { Card } from "../../ui/parts.tsx";
import { notify } from "../../ui/toast.tsx";
import { startWords } from "../../words/start/words.ts";

/** Mails the snippet to somebody else. */
export function DeveloperCard({ projectId }: { projectId: string }) {
  const { install } = startWords.value;
  return (
    <Card title={install.developer} lead={install.developerHint}>
      <Form
        submit={install.send}
        isPlain
        isReset
        onSubmit={async ({ email = "" }) => {
          await send(mailSnippet, { path: { projectId }, body: { email } });
          notify(install.sent(email));
        }}
      >
        <Field
          name="email"
          type="email"
          inputMode="email"
          label={install.email}
          maxLength={254}
          required
        />
      </Form>
    </Card>
  );
}
