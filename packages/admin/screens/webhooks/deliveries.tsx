import { useEffect, useState } from "preact/hooks";
import {
  type WebhookDelivery,
  getWebhookDelivery,
  listWebhookDeliveries,
  retryWebhookDelivery,
} from "@avow/client/operations";
import { send } from "../../api/send.ts";
import { useCursor } from "../../data/use-cursor.ts";
import { useLoad } from "../../data/use-load.ts";
import { toInstant, toNumber } from "../../browser/format.ts";
import { CursorPager } from "../../ui/cursor-pager.tsx";
import { Dialog } from "../../ui/forms/dialog.tsx";
import { Choice, Form } from "../../ui/forms/form.tsx";
import { Ago, Badge, Card } from "../../ui/parts.tsx";
import { LoadView } from "../../ui/load-view.tsx";
import { notify } from "../../ui/toast.tsx";
import { webhookWords } from "../../words/webhooks/words.ts";

const LIMIT = 20;
/** Poll intervals with and without pending deliveries. */
const WAITING_POLL_MS = 2_000;
const IDLE_POLL_MS = 8_000;
type Status = WebhookDelivery["status"];
const statuses = ["pending", "delivered", "parked", "cancelled"] as const;
const tones = { pending: "warn", delivered: "good", parked: "bad", cancelled: "plain" } as const;

/** The deliveries of a webhook, newest first, with their attempts. */
export function Deliveries({ webhookId, revision }: { webhookId: string; revision: number }) {
  const texts = webhookWords.value;
  const [status, setStatus] = useState<Status | "">("");
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
  useEffect(() => {
    const timer = setInterval(() => loaded.reload(), isWaiting ? WAITING_POLL_MS : IDLE_POLL_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return (
    <Card
      title={texts.deliveries}
      action={
        <Choice
          name="status"
          label={texts.status}
          value={status}
          onChange={(value) => setStatus(value as Status | "")}
          options={[["", texts.any], ...statuses.map((one) => [one, texts.statuses[one]] as const)]}
        />
      }
    >
      <LoadView of={loaded} lines={4}>
        {({ items, links }) => (
          <>
            {items.length === 0 && <p class="soft">{texts.noDeliveries}</p>}
            {items.length > 0 && <Table items={items} onShow={setShown} />}
            <CursorPager cursors={cursors} next={links.next} />
          </>
        )}
      </LoadView>
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

interface TableProps {
  items: readonly WebhookDelivery[];
  onShow: (id: string) => void;
}

function Table({ items, onShow }: TableProps) {
  const texts = webhookWords.value;
  return (
    <table class="stacked plain-table">
      <thead>
        <tr>
          <th scope="col">{texts.event}</th>
          <th scope="col">{texts.status}</th>
          <th scope="col">{texts.attempts}</th>
          <th scope="col">{texts.when}</th>
          <th scope="col">
            <span class="hidden">{texts.details}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, event, status, attempts, createdAt }) => (
          <tr key={id}>
            <th scope="row" class="code">
              {event}
            </th>
            <td data-label={texts.status}>
              <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
            </td>
            <td data-label={texts.attempts}>{toNumber(attempts)}</td>
            <td data-label={texts.when}>
              <Ago at={createdAt} />
            </td>
            <td class="end">
              <button type="button" class="button small" onClick={() => onShow(id)}>
                {texts.details}
                <span class="hidden"> {event}</span>
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
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
