import { useEffect, useState } from "preact/hooks";
import {
  type WebhookDelivery,
  getWebhookDelivery,
  listWebhookDeliveries,
  retryWebhookDelivery,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad, usePolling } from "../../data/use-load.ts";
import { toInstant, toNumber } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { notifyEach, runEach } from "../../ui/table/run-each.ts";
import type { Column } from "../../ui/table/table.tsx";
import { useTableView } from "../../ui/table/table-view.ts";
import { notify } from "../../ui/toast.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";

const LIMIT = 20;
/** Poll intervals with and without pending deliveries. */
const WAITING_POLL_MS = 2_000;
const IDLE_POLL_MS = 8_000;
const statuses = ["pending", "delivered", "parked", "cancelled"] as const;
const tones = { pending: "warn", delivered: "good", parked: "bad", cancelled: "plain" } as const;

/** The deliveries of a webhook, newest first, with their attempts. */
export function Deliveries({ webhookId, revision }: { webhookId: string; revision: number }) {
  const texts = webhookWords.value;
  const view = useTableView({ name: "deliveries" });
  const status = statuses.find((one) => one === view.query.get("status")) ?? "";
  const [shown, setShown] = useState<string>();
  const cursors = useCursor([webhookId, status]);
  const loaded = useLoad(() => {
    const { cursor } = cursors;
    const query = { limit: LIMIT, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) };
    return send(listWebhookDeliveries, { path: { id: webhookId }, query });
  }, [webhookId, status, cursors.cursor]);
  useEffect(() => loaded.reload(), [revision]);
  const isWaiting =
    loaded.state === "ready" && loaded.value.items.some((one) => one.status === "pending");
  usePolling(loaded, isWaiting ? WAITING_POLL_MS : IDLE_POLL_MS, true);
  const resend = async (all: readonly WebhookDelivery[]): Promise<void> => {
    const result = await runEach(all, ({ id: deliveryId }) =>
      send(retryWebhookDelivery, { path: { id: webhookId, deliveryId }, body: {} }),
    );
    notifyEach(result, texts.resentAll(all.length));
    loaded.reload();
  };
  return (
    <Card title={texts.deliveries}>
      <DataTable
        caption={texts.deliveries}
        view={view}
        columns={toColumns(setShown)}
        loaded={loaded}
        toRows={({ items }) => items}
        toKey={({ id }) => id}
        toName={({ event, createdAt }) => `${event} ${toInstant(createdAt)}`}
        lines={4}
        isFlush
        actions={[{ label: texts.resend, run: (all) => resend(all) }]}
        filters={
          <Choice
            name="status"
            label={texts.status}
            value={status}
            onChange={(value) => view.setFilters({ status: value })}
            options={[
              ["", texts.any],
              ...statuses.map((one) => [one, texts.statuses[one]] as const),
            ]}
          />
        }
        empty={() => <p class="soft">{texts.noDeliveries}</p>}
        below={({ links }) => <CursorPager cursors={cursors} next={links.next} />}
      />
      {shown !== undefined && (
        <Delivery
          path={{ id: webhookId, deliveryId: shown }}
          onClose={() => {
            setShown(undefined);
            loaded.reload();
          }}
        />
      )}
    </Card>
  );
}

function toColumns(onShow: (id: string) => void): readonly Column<WebhookDelivery>[] {
  const texts = webhookWords.value;
  return [
    { id: "event", title: texts.event, text: ({ event }) => event, isCode: true },
    {
      id: "status",
      title: texts.status,
      text: ({ status }) => texts.statuses[status],
      cell: ({ status }) => <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>,
    },
    { id: "attempts", title: texts.attempts, text: ({ attempts }) => toNumber(attempts) },
    {
      id: "when",
      title: texts.when,
      text: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <Ago at={createdAt} />,
    },
    {
      id: "details",
      title: texts.details,
      isActions: true,
      cell: ({ id, event }) => (
        <button type="button" class="button small" onClick={() => onShow(id)}>
          {texts.details}
          <span class="hidden"> {event}</span>
        </button>
      ),
    },
  ];
}

interface DeliveryProps {
  path: { id: string; deliveryId: string };
  onClose: () => void;
}

/** One delivery with all attempts and responses. */
function Delivery({ path, onClose }: DeliveryProps) {
  const texts = webhookWords.value;
  const loaded = useLoad(() => send(getWebhookDelivery, { path }), [path.deliveryId]);
  const title = loaded.state === "ready" ? loaded.value.event : texts.deliveries;
  return (
    <Dialog title={title} onClose={onClose}>
      <LoadView of={loaded} lines={4}>
        {({ tried, nextAt, status }) => (
          <>
            <p>
              <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>{" "}
              {nextAt !== null && (
                <span class="soft">
                  {texts.nextTry}: {toInstant(nextAt)}
                </span>
              )}
            </p>
            {tried.length === 0 && <p class="soft">{texts.notTried}</p>}
            <ol class="tries">
              {tried.map((one) => (
                <li key={one.requestId}>
                  <p>
                    <strong>
                      {one.status === null ? texts.noAnswer : texts.answered(one.status)}
                    </strong>{" "}
                    <span class="soft">
                      {toInstant(one.at)}, {texts.took(toNumber(one.durationMs))}
                    </span>
                  </p>
                  {one.error !== null && <p lang="en">{one.error}</p>}
                  {one.answer !== "" && (
                    <pre class="answer" tabIndex={0} aria-label={texts.answer}>
                      {one.answer}
                    </pre>
                  )}
                </li>
              ))}
            </ol>
            {status !== "cancelled" && (
              <Form
                submit={texts.resend}
                onSubmit={async () => {
                  await send(retryWebhookDelivery, { path, body: {} });
                  notify(texts.resent);
                  onClose();
                }}
              />
            )}
          </>
        )}
      </LoadView>
    </Dialog>
  );
}
