import { useState } from "preact/hooks";
import { type Webhook, getWebhook, patchWebhook, testWebhook } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { asProblem } from "../../api/problem.ts";
import { toFaultText } from "../../ui/forms/faults.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Ago, Badge, Card, Copyable } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";
import { Deliveries } from "./deliveries.tsx";
import {
  EditDialog,
  RemoveDialog,
  ReplayDialog,
  RotateDialog,
  RotateKeyDialog,
} from "./dialogs.tsx";
import { WebhookState } from "./webhooks.tsx";

type DialogName = "edit" | "rotate" | "key" | "replay" | "remove";

/** One webhook: its events, settings and deliveries. */
export default function WebhookScreen({
  projectId = "",
  webhookId = "",
}: {
  projectId?: string;
  webhookId?: string;
}) {
  const texts = webhookWords.value;
  const path = { id: webhookId };
  const loaded = useLoad(() => send(getWebhook, { path }), [webhookId]);
  const [asking, setAsking] = useState<DialogName>();
  // The deliveries are reloaded when it changes.
  const [revision, setRevision] = useState(0);
  const at = `/projects/${projectId}/webhooks`;
  const close = (): void => {
    setAsking(undefined);
    loaded.reload();
    setRevision((now) => now + 1);
  };
  return (
    <Page
      title={loaded.state === "ready" ? new URL(loaded.value.url).host : texts.title}
      lead={
        <a class="back" href={toHref(at)}>
          <Icon name="back" />
          {texts.back}
        </a>
      }
    >
      <LoadView of={loaded} lines={6}>
        {(webhook) => (
          <div class="cards">
            <Card
              title={webhook.url}
              action={<WebhookState webhook={webhook} />}
              lead={<State webhook={webhook} />}
            >
              <ul class="chips">
                {webhook.events.map((event) => (
                  <li key={event}>
                    <Badge>{event}</Badge>
                  </li>
                ))}
              </ul>
              <Facts webhook={webhook} />
              <Actions webhook={webhook} onAsk={setAsking} onDone={close} />
            </Card>
            <Deliveries webhookId={webhookId} revision={revision} />
          </div>
        )}
      </LoadView>
      {asking === "edit" && loaded.state === "ready" && (
        <EditDialog webhook={loaded.value} projectId={projectId} onClose={close} />
      )}
      {asking === "rotate" && <RotateDialog path={path} onClose={close} />}
      {asking === "key" && <RotateKeyDialog path={path} onClose={close} />}
      {asking === "replay" && <ReplayDialog path={path} onClose={close} />}
      {asking === "remove" && (
        <RemoveDialog path={path} onClose={() => setAsking(undefined)} after={at} />
      )}
    </Page>
  );
}

function State({ webhook: { disabledBecause, failingSince } }: { webhook: Webhook }) {
  const texts = webhookWords.value;
  if (disabledBecause !== null)
    return <>{texts.because[disabledBecause as keyof typeof texts.because] ?? disabledBecause}</>;
  if (failingSince === null) return null;
  return (
    <>
      {texts.failing} · <Ago at={failingSince} />
    </>
  );
}

/** The filter, the custom headers and the public keys. */
function Facts({ webhook }: { webhook: Webhook }) {
  const texts = webhookWords.value;
  const { collection, identifier, headers, publicKey, earlierPublicKeys } = webhook;
  const names = Object.keys(headers);
  const kind = (["cookies", "processings", "contracts"] as const).find((one) => one === collection);
  return (
    <dl class="facts">
      {collection !== null && (
        <div>
          <dt>{texts.filter}</dt>
          <dd>
            {kind ? texts.every[kind] : collection}
            {identifier !== null && <span class="code"> {identifier}</span>}
          </dd>
        </div>
      )}
      {names.length > 0 && (
        <div>
          <dt>{texts.headers}</dt>
          <dd class="code">{names.join(", ")}</dd>
        </div>
      )}
      <div>
        <dt>{texts.publicKey}</dt>
        <dd>
          <Copyable text={publicKey} label={texts.publicKey} />
        </dd>
      </div>
      {earlierPublicKeys.map((key) => (
        <div key={key.publicKey}>
          <dt>
            {texts.earlierKey} · <Ago at={key.endsAt} />
          </dt>
          <dd class="code">{key.publicKey}</dd>
        </div>
      ))}
    </dl>
  );
}

interface ActionsProps {
  webhook: Webhook;
  onAsk: (asking: DialogName) => void;
  onDone: () => void;
}

function Actions({ webhook, onAsk, onDone }: ActionsProps) {
  const texts = webhookWords.value;
  const path = { id: webhook.id };
  const run = async (work: () => Promise<unknown>, message: string): Promise<void> => {
    try {
      await work();
      notify(message);
      onDone();
    } catch (error) {
      notify(toFaultText(asProblem(error)));
    }
  };
  const toggle = () => send(patchWebhook, { path, body: { enabled: !webhook.enabled } });
  const test = () => send(testWebhook, { path, body: {} });
  return (
    <div class="actions">
      <button type="button" class="button small" onClick={() => void run(test, texts.tested)}>
        <Icon name="send" />
        {texts.test}
      </button>
      <button type="button" class="button small" onClick={() => onAsk("edit")}>
        {texts.edit}
      </button>
      <button type="button" class="button small" onClick={() => onAsk("replay")}>
        {texts.replay}
      </button>
      <button type="button" class="button small" onClick={() => onAsk("rotate")}>
        {texts.rotate}
      </button>
      <button type="button" class="button small" onClick={() => onAsk("key")}>
        {texts.rotateKey}
      </button>
      <button
        type="button"
        class="button small"
        onClick={() => void run(toggle, webhook.enabled ? texts.turnedOff : texts.turnedOn)}
      >
        {webhook.enabled ? texts.turnOff : texts.turnOn}
      </button>
      <button type="button" class="button small danger" onClick={() => onAsk("remove")}>
        {texts.remove}
      </button>
    </div>
  );
}
