import type { WebhooksApp } from "./app.ts";
import { type DueRow, listDue } from "./deliveries-store.ts";
import { findTellable } from "./tellable.ts";

/** A delivery that is due. What is to be sent is read when it is sent. */
export interface Due {
  delivery: DueRow;
  /** Whether the webhook's maker may receive it still. */
  isTellable: boolean;
}

/**
 * What is due to these webhooks, `limit` for each at most, in the order in which it is to be sent: read for all
 * of them at once.
 */
export async function readDue(
  app: Pick<WebhooksApp, "db" | "now" | "sources">,
  webhookIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, Due[]>> {
  if (webhookIds.length === 0) return new Map();
  const rows = await listDue(app.db, { webhookIds, now: app.now(), limit });
  const tellable = await findTellable(app.db, app, rows);
  const due = rows.map((delivery) => ({ delivery, isTellable: tellable.has(delivery.id) }));
  return Map.groupBy(due, ({ delivery }) => delivery.webhook_id);
}
