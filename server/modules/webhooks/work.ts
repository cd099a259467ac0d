import type { WebhooksApp } from "./app.ts";
import { type Body, readBodies } from "./bodies.ts";
import { type DueRow, listDue } from "./deliveries-store.ts";
import { findTellable } from "./tellable.ts";

/**
 * A delivery that is due, with what is to be sent; undefined where that was erased, or the webhook's maker may not
 * receive it any more.
 */
export interface Work {
  delivery: DueRow;
  body: Body | undefined;
}

/**
 * What is due to these webhooks, `limit` for each at most, in the order in which it is to be sent: read for all
 * of them at once.
 */
export async function readWork(
  app: Pick<WebhooksApp, "db" | "now" | "sources" | "publicUrl">,
  webhookIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, Work[]>> {
  if (webhookIds.length === 0) return new Map();
  const due = await listDue(app.db, { webhookIds, now: app.now(), limit });
  const tellable = await findTellable(app.db, app, due);
  const told = due.filter(({ id }) => tellable.has(id));
  const bodies = await readBodies(app.db, app, told);
  const bodyOf = new Map(told.map(({ id }, at) => [id, bodies[at]]));
  const work = due.map((delivery) => ({ delivery, body: bodyOf.get(delivery.id) }));
  return Map.groupBy(work, ({ delivery }) => delivery.webhook_id);
}
