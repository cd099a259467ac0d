import type { WebhooksApp } from "./app.ts";
import { type Body, readBodies } from "./bodies.ts";
import { type DueRow, listDue } from "./deliveries-store.ts";

/** A delivery that is due, with what is to be sent; undefined where that was erased. */
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
  const bodies = await readBodies(app.db, app, due);
  const work = due.map((delivery, at) => ({ delivery, body: bodies[at] }));
  return Map.groupBy(work, ({ delivery }) => delivery.webhook_id);
}
