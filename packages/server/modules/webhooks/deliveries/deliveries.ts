import type { Ctx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { Fault } from "../../../platform/errors.ts";
import { assertMayRead } from "../endpoints/consent-rights.ts";
import { lockEnabledEndpoint } from "../endpoints/endpoints.ts";
import { TEST_EVENT } from "../endpoints/events.ts";
import type { WebhooksApp } from "../ports.ts";
import { ENVELOPE_BYTES_MAX, findReceivable } from "./bodies.ts";
import { findDelivery } from "./log-store.ts";
import { type DeliveryRow, insertDeliveries, updateRetried } from "./store.ts";

/** Attempts of one delivery in this window; a retry by hand beyond that is rejected. */
const ATTEMPTS_MAX = 10;
const WINDOW_MS = 60_000;

/** Sends an endpoint a test event. Throws `Fault` (not-found, conflict). */
export async function testWebhook(
  ctx: Ctx,
  { sealing, counters }: Pick<WebhooksApp, "sealing" | "counters">,
  id: string,
): Promise<DeliveryRow> {
  const { project_id: projectId } = await lockEnabledEndpoint(ctx, id);
  const event = {
    name: "webhook.tested",
    projectId: projectId ?? undefined,
    documentId: id,
  } as const;
  const eventId = await recordEvent(ctx, event);
  const delivery = {
    webhookId: id,
    event: TEST_EVENT,
    eventId,
    projectId,
    consentId: null,
    collection: null,
    identifier: null,
    orderKey: sealing.toKey(`test ${eventId}`),
    bytesMax: ENVELOPE_BYTES_MAX,
  };
  const [deliveryId = 0] = await insertDeliveries(ctx.tx, [delivery], ctx.now);
  return getDelivery(
    ctx.tx,
    { counters },
    { id, deliveryId: counters.deliveries.toText(deliveryId) },
  );
}

/**
 * Retries a delivery now, whatever its status, with all its attempts before it; later ones with its key may have been
 * sent already.
 * @throws Fault not-found; conflict for a disabled endpoint or an erased record; forbidden unless the creator may
 *   receive it, and the API key read it; too-many
 */
export async function retryDelivery(
  ctx: Ctx,
  app: Pick<WebhooksApp, "sources" | "counters">,
  { id, deliveryId }: { id: string; deliveryId: string },
): Promise<DeliveryRow> {
  const { created_by: creator } = await lockEnabledEndpoint(ctx, id);
  const delivery = await getDelivery(ctx.tx, app, { id, deliveryId });
  assertMayRead(ctx.actor, [delivery.event]);
  if (delivery.event_id === null && delivery.consent_id === null)
    throw new Fault(
      "conflict",
      "The delivery was cancelled: its record was erased, or you may not read it.",
    );
  if ((await findReceivable(ctx.tx, app, [{ ...delivery, creator }])).size === 0)
    throw new Fault("forbidden", "You may no longer receive the events of this document.");
  assertRate(delivery, ctx.now);
  await updateRetried(ctx.tx, delivery, ctx.now);
  const projectId = delivery.project_id ?? undefined;
  const data = { deliveryId };
  await recordEvent(ctx, { name: "webhook.retried", projectId, documentId: id, data });
  return getDelivery(ctx.tx, app, { id, deliveryId });
}

function assertRate({ tried }: DeliveryRow, now: Date): void {
  const first = tried.at(-ATTEMPTS_MAX);
  const leftMs = first ? Date.parse(first.at) + WINDOW_MS - now.getTime() : 0;
  if (leftMs <= 0) return;
  const detail = `The delivery had ${ATTEMPTS_MAX} attempts within a minute. Try again later.`;
  throw new Fault("too-many", detail, { retryAfterSeconds: Math.ceil(leftMs / 1_000) });
}

/** @throws Fault not-found */
export async function getDelivery(
  db: Parameters<typeof findDelivery>[0],
  { counters }: Pick<WebhooksApp, "counters">,
  { id: webhookId, deliveryId }: { id: string; deliveryId: string },
) {
  const id = counters.deliveries.parse(deliveryId);
  const found = id === undefined ? undefined : await findDelivery(db, { webhookId, id });
  if (!found) throw new Fault("not-found", "The webhook has no such delivery.");
  return found;
}
