import type { Ctx } from "../../kernel/ctx.ts";
import { Fault } from "../../platform/errors.ts";
import { recordEvent } from "../../kernel/events.ts";
import type { WebhooksApp } from "./app.ts";
import { assertMayRead } from "./consent-rights.ts";
import { type DeliveryRow, insertDeliveries, updateRetried } from "./deliveries-store.ts";
import { findDelivery } from "./delivery-log-store.ts";
import { TEST_EVENT } from "./events.ts";
import { findHeadPlace, lockHeadShared } from "./feed-store.ts";
import { wakeLane } from "./lanes-store.ts";
import { ENVELOPE_BYTES_MAX } from "./messages.ts";
import { toStart } from "./places.ts";
import { updateWebhook, type WebhookRow } from "./store.ts";
import { updatePlace } from "./subscribers-store.ts";
import { findTellable } from "./tellable.ts";
import { getForChange } from "./webhooks.ts";

/** Of one delivery within that time: who has it tried more often sends a flood, and helps nobody. */
const TRIES_MAX = 10;
const TRIES_MS = 60_000;

/** @throws Fault conflict for a webhook that is disabled: nothing would be sent */
function assertEnabled({ enabled }: WebhookRow): void {
  if (!enabled) throw new Fault("conflict", "The webhook is disabled: enable it first.");
}

/** Sends a webhook an event that tells nothing. Throws `Fault` (not-found, conflict). */
export async function testWebhook(
  ctx: Ctx,
  { sealing }: Pick<WebhooksApp, "sealing">,
  id: string,
): Promise<DeliveryRow> {
  const webhook = await getForChange(ctx, { id });
  assertEnabled(webhook);
  const projectId = webhook.project_id ?? undefined;
  const eventId = await recordEvent(ctx, { name: "webhook.tested", projectId, documentId: id });
  const delivery = {
    webhookId: id,
    event: TEST_EVENT,
    eventId,
    projectId: webhook.project_id,
    consentId: null,
    collection: null,
    identifier: null,
    orderKey: sealing.toKey(`test ${eventId}`),
    bytesMax: ENVELOPE_BYTES_MAX,
  };
  const [deliveryId = 0] = await insertDeliveries(ctx.tx, [delivery], ctx.now);
  return getDelivery(ctx, id, String(deliveryId));
}

/**
 * Has a delivery tried again at once, whatever became of it, with all its tries before it; what has one
 * key with it may have gone before. Throws `Fault` (not-found; conflict, also for what was erased; forbidden for
 * what the webhook's maker may not receive any more, or the API key not read; too-many).
 */
export async function retryDelivery(
  ctx: Ctx,
  app: Pick<WebhooksApp, "sources">,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<DeliveryRow> {
  assertEnabled(await getForChange(ctx, { id }));
  const delivery = await getDelivery(ctx, id, deliveryId);
  assertMayRead(ctx.actor, [delivery.event]);
  if (delivery.event_id === null && delivery.consent_id === null)
    throw new Fault("conflict", "It was cancelled, since what it told was erased or not for you.");
  if (!(await findTellable(ctx.tx, app, [delivery])).has(delivery.id))
    throw new Fault("forbidden", "You may not receive what happens there any more.");
  assertSeldom(delivery, ctx.now);
  await updateRetried(ctx.tx, delivery, ctx.now);
  const projectId = delivery.project_id ?? undefined;
  const data = { deliveryId };
  await recordEvent(ctx, { name: "webhook.retried", projectId, documentId: id, data });
  return getDelivery(ctx, id, deliveryId);
}

/** @throws Fault too-many for what was tried ten times in the last minute */
function assertSeldom({ tried }: DeliveryRow, now: Date): void {
  const first = tried.at(-TRIES_MAX);
  if (!first) return;
  const leftMs = Date.parse(first.at) + TRIES_MS - now.getTime();
  if (leftMs <= 0) return;
  const detail = `It was tried ${TRIES_MAX} times within a minute: wait a little.`;
  throw new Fault("too-many", detail, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
}

async function getDelivery(ctx: Ctx, webhookId: string, id: string): Promise<DeliveryRow> {
  const isId = /^\d{1,15}$/.test(id);
  const found = isId ? await findDelivery(ctx.tx, { webhookId, id: Number(id) }) : undefined;
  if (!found) throw new Fault("not-found", "The webhook has no such delivery.");
  return found;
}

/**
 * Tells a webhook everything again since an instant, or a cursor of the list of events, in its order and
 * with the same `webhook-id`s; what happens next comes behind that.
 * @throws Fault not-found, conflict, invalid for what is neither, forbidden for an API key that may not read the
 *   consents that would be told
 */
export async function replayWebhook(
  ctx: Ctx,
  { id, since }: { id: string; since: string },
): Promise<WebhookRow> {
  // What is being handed out now is either behind the place that it is set to, or already there. Before the webhook:
  // who hands out has the head, and needs the webhook.
  await lockHeadShared(ctx.tx);
  const webhook = await getForChange(ctx, { id });
  assertEnabled(webhook);
  assertMayRead(ctx.actor, webhook.events);
  const { place, instant } = await toStart(ctx.tx, { since, now: ctx.now });
  const head = await findHeadPlace(ctx.tx);
  const from = {
    position: Math.min(place.position, head.position),
    leaf: Math.min(place.leaf, head.leaf),
  };
  await updatePlace(ctx.tx, [id], from);
  const changes = { tells_from: instant, version: webhook.version + 1, updated_at: ctx.now };
  await updateWebhook(ctx.tx, id, changes);
  await wakeLane(ctx.tx, id, ctx.now);
  const projectId = webhook.project_id ?? undefined;
  await recordEvent(ctx, { name: "webhook.replayed", projectId, documentId: id });
  return { ...webhook, ...changes };
}
