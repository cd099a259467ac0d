import { useState } from "preact/hooks";
import { type WebhookWithSecret, createWebhook } from "../../api/interface.ts";
import { send } from "../../api/send.ts";
import { go } from "../../router.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Form } from "../../ui/form.tsx";
import { Copyable } from "../../ui/parts.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";

/** What can be asked for of a project, most wanted first. */
const events = [
  "consent.created",
  "consent.withdrawn",
  "consent.erased",
  "publish.done",
  "publish.failed",
  "configuration.created",
  "configuration.updated",
  "configuration.deleted",
  "project.updated",
  "project.deleted",
  "export.done",
  "import.done",
  "user.invited",
  "user.joined",
] as const;
const usual: ReadonlySet<string> = new Set(["consent.created", "consent.withdrawn"]);

interface CreateProps {
  projectId: string;
  onClose: () => void;
}

/** Asks where events go and which; then shows the secret, this once. */
export function CreateWebhook({ projectId, onClose }: CreateProps) {
  const said = webhookWords.value;
  const [made, setMade] = useState<WebhookWithSecret>();
  const [isEventMissing, setEventMissing] = useState(false);
  if (made)
    return (
      <SecretDialog
        secret={made.secret}
        onDone={() => go(`/projects/${projectId}/webhooks/${made.id}`)}
      />
    );
  return (
    <Dialog title={said.createTitle} lead={said.createLead} onClose={onClose}>
      <Form
        submit={said.createButton}
        onSubmit={async ({ url = "" }, data) => {
          const chosen = data.getAll("events").map(String);
          setEventMissing(chosen.length === 0);
          if (chosen.length === 0) return;
          setMade(await send(createWebhook, { body: { url, events: chosen, projectId } }));
        }}
      >
        <Field
          name="url"
          label={said.address}
          hint={said.addressHint}
          placeholder="https://api.shop.example/avow"
          inputMode="url"
          maxLength={2_048}
          isCode
          required
        />
        <fieldset class="checks two-columns">
          <legend>{said.events}</legend>
          {events.map((name) => (
            <label key={name} class="check">
              <input type="checkbox" name="events" value={name} defaultChecked={usual.has(name)} />
              <span class="code">{name}</span>
            </label>
          ))}
        </fieldset>
        {isEventMissing && (
          <p class="fault" role="alert">
            {said.eventNeeded}
          </p>
        )}
      </Form>
    </Dialog>
  );
}

/** A secret that is shown once: it stays until somebody says that they have it. */
export function SecretDialog({ secret, onDone }: { secret: string; onDone: () => void }) {
  const said = webhookWords.value;
  return (
    <Dialog title={said.secretTitle} lead={said.secretText}>
      <Copyable text={secret} label={said.secret} />
      <div class="form-end">
        <button type="button" class="button primary" onClick={onDone}>
          {said.copied}
        </button>
      </div>
    </Dialog>
  );
}
