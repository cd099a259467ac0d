import type { Db, Tx } from "../../platform/db/db.ts";
import type { WebhooksApp } from "./app.ts";
import type { DeliveryRow } from "./deliveries-store.ts";
import { TEST_EVENT } from "./events.ts";
import { listEvents } from "./feed-store.ts";
import { listMakers } from "./store.ts";

type Telling = Pick<DeliveryRow, "id" | "webhook_id" | "event" | "event_id" | "project_id">;

/**
 * The ids of those of these deliveries that their webhooks' makers may be told now. Asked again at each sending:
 * between the day that something happened and the day that it is sent, somebody may have been removed.
 */
export async function findTellable(
  db: Db | Tx,
  { sources }: Pick<WebhooksApp, "sources">,
  deliveries: readonly Telling[],
): Promise<ReadonlySet<number>> {
  if (deliveries.length === 0) return new Set();
  const abroad = deliveries.flatMap((one) =>
    one.project_id === null && one.event_id !== null ? one.event_id : [],
  );
  const [makers, events] = await Promise.all([
    listMakers(db, [...new Set(deliveries.map((one) => one.webhook_id))]),
    listEvents(db, [...new Set(abroad)]),
  ]);
  const documentOf = new Map(events.map((event) => [event.id, event.document_id]));
  const toAbout = ({ project_id: projectId, event_id: eventId }: Telling) =>
    projectId ?? (eventId === null ? null : (documentOf.get(eventId) ?? null));
  const about = deliveries.flatMap((one) => toAbout(one) ?? []);
  const receivers = await sources.listReceivers(db, [...new Set(about)]);
  const isTellable = (one: Telling): boolean => {
    // A test tells nothing.
    if (one.event === TEST_EVENT) return true;
    const users = receivers.get(toAbout(one) ?? "");
    return users?.has(makers.get(one.webhook_id) ?? "") === true;
  };
  return new Set(deliveries.filter(isTellable).map(({ id }) => id));
}
