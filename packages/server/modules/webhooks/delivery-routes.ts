import type { FastifyReply, FastifyRequest } from "fastify";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { Fault } from "../../platform/errors.ts";
import { cursorListOf } from "../../http/cursors.ts";
import type { Http } from "../../http/http.ts";
import { answerWrite } from "../../http/write.ts";
import { parseCursor, toCursorFault, toCursorPage } from "../../kernel/page.ts";
import type { WebhooksApp } from "./app.ts";
import { replayWebhook, retryDelivery, testWebhook } from "./deliveries.ts";
import { listAnswers } from "./answers-store.ts";
import type { DeliveryRow } from "./deliveries-store.ts";
import { toDeliveryOut } from "./delivery-out.ts";
import { findDelivery, listDeliveries } from "./delivery-log-store.ts";
import {
  DeliveriesQueryIn,
  DeliveryOut,
  DeliveryParams,
  EmptyIn,
  ReplayIn,
  WebhookOut,
  WebhookParams,
} from "./schema.ts";
import { findWebhook } from "./store.ts";
import { toWebhookOut } from "./webhook-out.ts";
import { toUnknown } from "./webhooks.ts";

const tags = ["webhooks"];

/** Registers what was sent, and what is sent again (wire section 6). */
export function registerDeliveryRoutes(http: Http, app: WebhooksApp): void {
  registerLog(http, app);
  registerSending(http, app);
}

function registerLog(http: Http, { db, publicUrl }: WebhooksApp): void {
  /** Shows rows of the caller's webhook: of one that is disabled nothing is sent, whatever waits. */
  const toShow = async (req: FastifyRequest, id: string) => {
    const webhook = await findWebhook(db, toScope(req.actor), id);
    if (!webhook) throw toUnknown(id);
    return (row: DeliveryRow): DeliveryRow => (webhook.enabled ? row : { ...row, next_at: null });
  };
  http.get(
    paths.webhookDeliveries,
    {
      schema: {
        tags,
        operationId: "listWebhookDeliveries",
        summary: "What was sent to a webhook, newest first",
        description:
          "Deliveries that succeeded are kept for a week, others for thirty days. Each answer's first 500 characters are told here; a delivery by itself tells more.",
        params: WebhookParams,
        querystring: DeliveriesQueryIn,
        response: { 200: cursorListOf(DeliveryOut) },
      },
    },
    async (req) => {
      const { id } = req.params;
      const { limit, cursor, status, event, projectId, collection, identifier } = req.query;
      const filters = { status, event, projectId, collection, identifier };
      const show = await toShow(req, id);
      const asked = { webhookId: id, before: parseBefore(cursor), limit: limit + 1, filters };
      const { items, next } = toCursorPage(await listDeliveries(db, asked), limit, {
        keyOf: (row) => [String(row.id)],
        toItem: (row) => toDeliveryOut(show(row), publicUrl),
      });
      const at = (from: string | undefined) =>
        hrefOf(publicUrl, paths.webhookDeliveries, { id }, { limit, ...filters, cursor: from });
      return {
        items,
        links: { self: at(cursor), ...(next === undefined ? {} : { next: at(next) }) },
      };
    },
  );
  http.get(
    paths.webhookDelivery,
    {
      schema: {
        tags,
        operationId: "getWebhookDelivery",
        summary: "A delivery, with every try",
        description:
          "Of tries that failed, the answer is told whole, up to 64 KiB of it, as long as it is among the webhook's last hundred long ones; of others its first 4 KiB.",
        params: DeliveryParams,
        response: { 200: DeliveryOut },
      },
    },
    async (req) => {
      const { id: webhookId, deliveryId } = req.params;
      const show = await toShow(req, webhookId);
      const isId = /^\d{1,15}$/.test(deliveryId);
      const row = isId ? await findDelivery(db, { webhookId, id: Number(deliveryId) }) : undefined;
      if (!row) throw new Fault("not-found", "The webhook has no such delivery.");
      return toDeliveryOut(show(row), publicUrl, await listAnswers(db, row.id));
    },
  );
}

function parseBefore(cursor: string | undefined): number | undefined {
  const [id] = parseCursor(cursor, 1) ?? [];
  if (id === undefined) return undefined;
  if (!/^\d{1,15}$/.test(id)) throw toCursorFault();
  return Number(id);
}

function registerSending(http: Http, app: WebhooksApp): void {
  const { db, now, publicUrl } = app;
  const accepted = (req: FastifyRequest, reply: FastifyReply) => ({
    db,
    now,
    req,
    reply,
    status: 202,
  });
  http.post(
    paths.webhookTest,
    {
      schema: {
        tags,
        operationId: "testWebhook",
        summary: "Send a webhook the event webhook.test",
        params: WebhookParams,
        body: EmptyIn,
        response: { 202: DeliveryOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) =>
        toDeliveryOut(await testWebhook(ctx, app, req.params.id), publicUrl),
      ),
  );
  http.post(
    paths.webhookRetry,
    {
      schema: {
        tags,
        operationId: "retryWebhookDelivery",
        summary: "Send a delivery again, now",
        params: DeliveryParams,
        body: EmptyIn,
        response: { 202: DeliveryOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) =>
        toDeliveryOut(await retryDelivery(ctx, app, req.params), publicUrl),
      ),
  );
  http.post(
    paths.webhookReplay,
    {
      schema: {
        tags,
        operationId: "replayWebhook",
        summary: "Tell a webhook everything again, since an instant or a cursor",
        description:
          "With the same `webhook-id`s, in the same order; what happens next comes behind.",
        params: WebhookParams,
        body: ReplayIn,
        response: { 202: WebhookOut },
      },
    },
    (req, reply) =>
      answerWrite(accepted(req, reply), async (ctx) =>
        toWebhookOut(await replayWebhook(ctx, { id: req.params.id, ...req.body }), app),
      ),
  );
}
