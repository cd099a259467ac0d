import { useState } from "preact/hooks";
import { type Webhook, listWebhooks, patchWebhook } from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { hasRight, readRights } from "../../data/projects/rights.ts";
import { useLoad } from "../../data/use-load.ts";
import { toHref } from "../../browser/router.ts";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { Badge, Empty } from "../../ui/parts.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { type EachResult, notifyEach, runEach } from "../../ui/table/run-each.ts";
import type { Column } from "../../ui/table/table.tsx";
import { useTableView } from "../../ui/table/table-view.ts";
import { webhookWords } from "../../words/webhooks/words.ts";
import { CreateWebhook } from "./create.tsx";

const tones = { on: "good", off: "plain", failing: "warn" } as const;

/** The user's webhooks for this project. */
export default function Webhooks({ projectId = "" }: { projectId?: string }) {
  const texts = webhookWords.value;
  const view = useTableView({ name: "webhooks" });
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
      <DataTable
        caption={texts.title}
        view={view}
        columns={toColumns(projectId)}
        loaded={loaded}
        toRows={({ own }) => own}
        toKey={({ id }) => id}
        toName={({ url }) => url}
        lines={5}
        isShort={isEmpty}
        actions={[
          { label: texts.turnOn, run: (all) => turn(all, true, loaded.reload) },
          { label: texts.turnOff, run: (all) => turn(all, false, loaded.reload) },
        ]}
        empty={({ mayMake }) =>
          mayMake ? (
            <Empty icon="hook" title={texts.emptyTitle} text={texts.empty}>
              {create}
            </Empty>
          ) : (
            <Empty icon="hook" title={texts.noRightTitle} text={texts.noRight} />
          )
        }
        below={({ mayMake }) => mayMake && <p class="soft">{texts.others}</p>}
      />
      {isCreating && <CreateWebhook projectId={projectId} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function toColumns(projectId: string): readonly Column<Webhook>[] {
  const texts = webhookWords.value;
  return [
    {
      id: "address",
      title: texts.address,
      order: ({ url }) => url,
      text: ({ url }) => url,
      cell: (webhook) => (
        <>
          <a class="row-link" href={toHref(`/projects/${projectId}/webhooks/${webhook.id}`)}>
            {webhook.url}
          </a>
          {webhook.projectId === null && <span class="soft kind">{texts.all}</span>}
        </>
      ),
    },
    {
      id: "events",
      title: texts.events,
      order: ({ events }) => events.length,
      text: ({ events }) => events.join(" "),
      cell: ({ events }) => texts.count(events.length),
    },
    {
      id: "state",
      title: texts.state,
      order: toState,
      text: (webhook) => texts[toState(webhook)],
      cell: (webhook) => <WebhookState webhook={webhook} />,
    },
  ];
}

/** Turns webhooks on or off. Those that were in that state before are left alone, also by the undo. */
async function turn(
  webhooks: readonly Webhook[],
  enabled: boolean,
  onDone: () => void,
): Promise<void> {
  const texts = webhookWords.peek();
  const changed = webhooks.filter((one) => one.enabled !== enabled);
  const put = async (rows: readonly Webhook[], next: boolean): Promise<EachResult<Webhook>> => {
    const result = await runEach(rows, ({ id }) =>
      send(patchWebhook, { path: { id }, body: { enabled: next } }),
    );
    onDone();
    return result;
  };
  const result = await put(changed, enabled);
  const text = enabled ? texts.turnedOnAll : texts.turnedOffAll;
  notifyEach(result, text(changed.length), async () => {
    const { failed } = await put(result.done, !enabled);
    if (failed[0]) throw failed[0].problem;
  });
}

function toState({ enabled, failingSince }: Webhook): "on" | "off" | "failing" {
  if (!enabled) return "off";
  return failingSince === null ? "on" : "failing";
}

/** The state of a webhook. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const texts = webhookWords.value;
  const state = toState(webhook);
  return <Badge tone={tones[state]}>{texts[state]}</Badge>;
}
