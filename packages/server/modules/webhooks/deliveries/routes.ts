import type { FastifyReply, FastifyRequest } from "fastify";
import { hrefOf, paths } from "@avow/contract/urls";
import { cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { parseCursor, toCursorFault, toCursorPage } from "../../../kernel/page.ts";
import { toUnknown } from "../endpoints/endpoints.ts";
import { WebhookParams } from "../endpoints/schema.ts";
import { findEndpoint } from "../endpoints/store.ts";
import type { WebhooksApp } from "../ports.ts";
import { getDelivery, retryDelivery, testWebhook } from "./deliveries.ts";
import { toDeliveryOut } from "./delivery-out.ts";
import { listAnswers, listDeliveries } from "./log-store.ts";
import { DeliveriesQueryIn, DeliveryOut, DeliveryParams } from "./schema.ts";
import type { DeliveryRow } from "./store.ts";

const tags = ["webhooks"];

/** Registers the log of deliveries, tests and retries (wire section 6). */
export function registerDeliveryRoutes(http: Http, app: WebhooksApp): void {
  registerLog(http, app);
  registerSending(http, app);
}

function registerLog(http: Http, app: WebhooksApp): void {
  const { db, publicUrl, counters } = app;
  /** Nothing is sent to a disabled endpoint, so that its pending deliveries have no next time. */
  const openView = async (req: FastifyRequest, id: string) => {
    const endpoint = await findEndpoint(db, toScope(req.actor), id);
    if (!endpoint) throw toUnknown(id);
    return (row: DeliveryRow): DeliveryRow => (endpoint.enabled ? row : { ...row, next_at: null });
  };
  http.get(
    paths.webhookDeliveries,
    {
      schema: {
        tags,
        operationId: "listWebhookDeliveries",
        summary: "List a webhook's deliveries, newest first",
        description:
          "Succeeded deliveries are kept for a week, others for thirty days. Lists contain the first 500 characters of each response; a single delivery contains more.",
        params: WebhookParams,
        querystring: DeliveriesQueryIn,
        response: { 200: cursorListOf(DeliveryOut) },
      },
    },
    async (req) => {
      const { id } = req.params;
      const { limit, cursor, ...filters } = req.query;
      const { status, event, projectId, collection, identifier } = filters;
      const view = await openView(req, id);
      const rows = await listDeliveries(db, {
        webhookId: id,
        before: parseBefore(cursor, counters),
        limit: limit + 1,
        filters: { status, event, projectId, collection, identifier },
      });
      const { items, next } = toCursorPage(rows, limit, {
        keyOf: (row) => [counters.deliveries.toText(row.id)],
        toItem: (row) => toDeliveryOut(view(row), app),
      });
      const at = (from: string | undefined) =>
        hrefOf(publicUrl, paths.webhookDeliveries, { id }, { limit, ...filters, cursor: from });
      const more = next === undefined ? {} : { next: at(next) };
      return { items, links: { self: at(cursor), ...more } };
    },
  );
  http.get(
    paths.webhookDelivery,
    {
      schema: {
        tags,
        operationId: "getWebhookDelivery",
        summary: "Get a delivery with its attempts",
        description:
          "Returns up to 64 KiB of the response to a failed attempt, while it is among the webhook's last hundred long responses; otherwise the first 4 KiB.",
        params: DeliveryParams,
        response: { 200: DeliveryOut },
      },
    },
    async (req) => {
      const { id, deliveryId } = req.params;
      const view = await openView(req, id);
      const row = await getDelivery(db, app, { id, deliveryId });
      return toDeliveryOut(view(row), app, await listAnswers(db, row.id));
    },
  );
}

function parseBefore(
  cursor: string | undefined,
  { deliveries }: WebhooksApp["counters"],
): number | undefined {
  const [text] = parseCursor(cursor, 1) ?? [];
  if (text === undefined) return undefined;
  const id = deliveries.parse(text);
  if (id === undefined) throw toCursorFault();
  return id;
}

function registerSending(http: Http, app: WebhooksApp): void {
  const { db, now } = app;
  const status = 202;
  const accepted = (req: FastifyRequest, reply: FastifyReply) => ({ db, now, req, reply, status });
  http.post(
    paths.webhookTest,
    {
      schema: {
        tags,
        operationId: "testWebhook",
        summary: "Send a webhook the event webhook.test",
        description: "The delivery is signed like any other and appears in the log of deliveries.",
        params: WebhookParams,
        response: { 202: DeliveryOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) =>
        toDeliveryOut(await testWebhook(ctx, app, req.params.id), app),
      ),
  );
  http.post(
    paths.webhookRetry,
    {
      schema: {
        tags,
        operationId: "retryWebhookDelivery",
        summary: "Retry a delivery now",
        description: "Works for failed and delivered ones.",
        params: DeliveryParams,
        response: { 202: DeliveryOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) =>
        toDeliveryOut(await retryDelivery(ctx, app, req.params), app),
      ),
  );
}
