import { useState } from "preact/hooks";
import { type Webhook, listWebhooks } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { hasRight, readRights } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Badge, Empty } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";
import { CreateWebhook } from "./create.tsx";

/** The user's webhooks for this project. */
export default function Webhooks({ projectId = "" }: { projectId?: string }) {
  const texts = webhookWords.value;
  const [isCreating, setCreating] = useState(false);
  const loaded = useLoad(async () => {
    const [{ webhooks }, roles] = await Promise.all([send(listWebhooks), readRights(projectId)]);
    return {
      own: webhooks.filter((one) => one.projectId === null || one.projectId === projectId),
      mayMake: hasRight(roles, "write"),
    };
  }, [projectId]);
  const create = loaded.state === "ready" && loaded.value.mayMake && (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {texts.create}
    </button>
  );
  const isEmpty = loaded.state === "ready" && loaded.value.own.length === 0;
  return (
    <Page title={texts.title} lead={texts.lead} actions={!isEmpty && create}>
      <LoadView of={loaded} lines={5}>
        {({ own, mayMake }) => (
          <>
            {own.length > 0 && <Table projectId={projectId} webhooks={own} />}
            {own.length === 0 && mayMake && (
              <Empty icon="hook" title={texts.emptyTitle} text={texts.empty}>
                {create}
              </Empty>
            )}
            {own.length === 0 && !mayMake && (
              <Empty icon="hook" title={texts.noRightTitle} text={texts.noRight} />
            )}
            {mayMake && <p class="soft">{texts.others}</p>}
          </>
        )}
      </LoadView>
      {isCreating && <CreateWebhook projectId={projectId} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Table({ projectId, webhooks }: { projectId: string; webhooks: readonly Webhook[] }) {
  const texts = webhookWords.value;
  return (
    <div class="table-card">
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{texts.address}</th>
            <th scope="col">{texts.events}</th>
            <th scope="col">{texts.state}</th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <tr key={webhook.id}>
              <th scope="row">
                <a class="row-link" href={toHref(`/projects/${projectId}/webhooks/${webhook.id}`)}>
                  {webhook.url}
                </a>
                {webhook.projectId === null && <span class="soft kind">{texts.all}</span>}
              </th>
              <td data-label={texts.events}>{texts.count(webhook.events.length)}</td>
              <td data-label={texts.state}>
                <WebhookState webhook={webhook} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The state of a webhook. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const texts = webhookWords.value;
  if (!webhook.enabled) return <Badge>{texts.off}</Badge>;
  if (webhook.failingSince !== null) return <Badge tone="warn">{texts.failing}</Badge>;
  return <Badge tone="good">{texts.on}</Badge>;
}
