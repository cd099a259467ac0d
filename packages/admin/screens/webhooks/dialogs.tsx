import { useState } from "preact/hooks";
import {
  type Webhook,
  deleteWebhook,
  patchWebhook,
  replayWebhook,
  rotateWebhookKey,
  rotateWebhookSecret,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { toLocal } from "../../data/consents.ts";
import { go } from "../../browser/router.ts";
import { getOwnZone } from "../../browser/time-zones.ts";
import { Confirm } from "../../ui/forms/confirm.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Field, Form } from "../../ui/forms/form.tsx";
import { notify } from "../../ui/toast.tsx";
import { consentWords } from "../../words/consents/words.ts";
import { webhookWords } from "../../words/webhooks/words.ts";
import { SecretDialog } from "./create.tsx";
import { WebhookFields, toWebhook } from "./fields.tsx";

const DAY_MS = 86_400_000;

interface DialogProps {
  path: { id: string };
  onClose: () => void;
}

/** Creates a new secret, shown once; the previous one stays valid for a day. */
export function RotateDialog({ path, onClose }: DialogProps) {
  const texts = webhookWords.value;
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <SecretDialog secret={secret} onDone={onClose} />;
  return (
    <Confirm
      title={texts.rotateTitle}
      text={texts.rotateText}
      submit={texts.rotateButton}
      onConfirm={async () => {
        const made = await send(rotateWebhookSecret, { path, body: {} });
        setSecret(made.secret);
      }}
      onClose={onClose}
    />
  );
}

/** Creates a new Ed25519 key; the previous one stays valid for a day. */
export function RotateKeyDialog({ path, onClose }: DialogProps) {
  const texts = webhookWords.value;
  return (
    <Dialog title={texts.rotateKeyTitle} lead={texts.rotateText} onClose={onClose}>
      <Form
        submit={texts.rotateKeyButton}
        onSubmit={async () => {
          await send(rotateWebhookKey, { path, body: {} });
          notify(texts.keyRotated);
          onClose();
        }}
      />
    </Dialog>
  );
}

/** Replays the events since an instant. */
export function ReplayDialog({ path, onClose }: DialogProps) {
  const texts = webhookWords.value;
  const timeZone = getOwnZone();
  return (
    <Dialog title={texts.replayTitle} lead={texts.replayText} onClose={onClose}>
      <Form
        submit={texts.replayButton}
        onSubmit={async ({ since = "" }) => {
          await send(replayWebhook, { path, body: { since: new Date(since).toISOString() } });
          notify(texts.replayed);
          onClose();
        }}
      >
        <Field
          name="since"
          type="datetime-local"
          label={texts.replaySince}
          hint={consentWords.value.person.asOfHint(timeZone)}
          value={toLocal(new Date(Date.now() - DAY_MS).toISOString()).slice(0, 16)}
          required
        />
      </Form>
    </Dialog>
  );
}

/** Edits a webhook. */
export function EditDialog({ webhook, projectId, onClose }: EditProps) {
  const texts = webhookWords.value;
  const [isEventMissing, setEventMissing] = useState(false);
  return (
    <Dialog title={texts.editTitle} lead={texts.editLead} onClose={onClose}>
      <Form
        submit={texts.save}
        onSubmit={async (values, data) => {
          const body = toWebhook(values, data);
          setEventMissing(body.events.length === 0);
          if (body.events.length === 0) return;
          await send(patchWebhook, { path: { id: webhook.id }, body });
          notify(texts.saved);
          onClose();
        }}
      >
        <WebhookFields projectId={projectId} webhook={webhook} isEventMissing={isEventMissing} />
      </Form>
    </Dialog>
  );
}

interface EditProps {
  webhook: Webhook;
  projectId: string;
  onClose: () => void;
}

/** Deletes the webhook and returns to the list. */
export function RemoveDialog({ path, onClose, after }: DialogProps & { after: string }) {
  const texts = webhookWords.value;
  return (
    <Confirm
      title={texts.removeTitle}
      text={texts.removeText}
      submit={texts.remove}
      isDanger
      onConfirm={async () => {
        await send(deleteWebhook, { path });
        notify(texts.removed);
        go(after, { replace: true });
      }}
      onClose={onClose}
    />
  );
}
