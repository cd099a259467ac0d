import { useState } from "preact/hooks";
import { type WebhookWithSecret, createWebhook } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { go } from "../../browser/router.ts";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Copyable } from "../../ui/parts.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";
import { WebhookFields, toWebhook } from "./fields.tsx";

interface CreateProps {
  projectId: string;
  onClose: () => void;
}

/** Creates a webhook, then shows its secret once. */
export function CreateWebhook({ projectId, onClose }: CreateProps) {
  const texts = webhookWords.value;
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
    <Dialog title={texts.createTitle} lead={texts.createLead} onClose={onClose}>
      <Form
        submit={texts.createButton}
        onSubmit={async (values, data) => {
          const { collection, identifier, ...body } = toWebhook(values, data);
          setEventMissing(body.events.length === 0);
          if (body.events.length === 0) return;
          const filter = {
            ...(collection === null ? {} : { collection }),
            ...(identifier === null ? {} : { identifier }),
          };
          setMade(await send(createWebhook, { body: { ...body, ...filter, projectId } }));
        }}
      >
        <WebhookFields projectId={projectId} isEventMissing={isEventMissing} />
      </Form>
    </Dialog>
  );
}

/** A secret that is shown once, until the user confirms that it is copied. */
export function SecretDialog({ secret, onDone }: { secret: string; onDone: () => void }) {
  const texts = webhookWords.value;
  return (
    <Dialog title={texts.secretTitle} lead={texts.secretText}>
      <Copyable text={secret} label={texts.secret} />
      <div class="form-end">
        <button type="button" class="button primary" onClick={onDone}>
          {texts.copied}
        </button>
      </div>
    </Dialog>
  );
}
