import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { isUnchanged } from "../../http/etags.ts";
import type { Http } from "../../http/http.ts";
import { negotiateLanguage } from "../../http/negotiation.ts";
import { answerWrite } from "../../http/write.ts";
import { mailLanguages } from "../../platform/mail/languages.ts";
import { readAddress } from "./address.ts";
import type { WebhooksApp } from "./app.ts";
import { registerAsyncApiRoute } from "./asyncapi-routes.ts";
import { registerDeliveryRoutes } from "./delivery-routes.ts";
import { registerHappenedRoute } from "./happened-routes.ts";
import {
  RotateIn,
  SecretOut,
  WebhookIn,
  WebhookOut,
  WebhookParams,
  WebhookPatchIn,
  WebhooksOut,
} from "./schema.ts";
import { findWebhook, listWebhooks } from "./store.ts";
import { toWebhookEtag, toWebhookOut } from "./webhook-out.ts";
import { rotateWebhookKey, rotateWebhookSecret } from "./rotating.ts";
import {
  WEBHOOKS_MAX,
  changeWebhook,
  createWebhook,
  removeWebhook,
  toUnknown,
} from "./webhooks.ts";

const tags = ["webhooks"];

/** Registers the webhooks service (wire section 6). */
export function registerWebhookRoutes(http: Http, app: WebhooksApp): void {
  registerReads(http, app);
  registerCreation(http, app);
  registerChanges(http, app);
  registerRotations(http, app);
  registerDeliveryRoutes(http, app);
  registerHappenedRoute(http, app);
  registerAsyncApiRoute(http, app.publicUrl);
}

function registerReads(http: Http, app: WebhooksApp): void {
  http.get(
    paths.webhooks,
    {
      schema: {
        tags,
        operationId: "listWebhooks",
        summary: "The caller's webhooks, oldest first",
        response: { 200: WebhooksOut },
      },
    },
    async (req) => {
      const rows = await listWebhooks(app.db, toScope(req.actor), WEBHOOKS_MAX);
      return { webhooks: rows.map((row) => toWebhookOut(row, app)) };
    },
  );
  http.get(
    paths.webhook,
    {
      schema: {
        tags,
        operationId: "getWebhook",
        summary: "A webhook",
        params: WebhookParams,
        response: { 200: WebhookOut, 304: Type.Null() },
      },
    },
    async (req, reply) => {
      const { id } = req.params;
      const row = await findWebhook(app.db, toScope(req.actor), id);
      if (!row) throw toUnknown(id);
      if (isUnchanged(req, reply, toWebhookEtag(row))) return reply.code(304).send(null);
      return toWebhookOut(row, app);
    },
  );
}

function registerCreation(http: Http, app: WebhooksApp): void {
  http.post(
    paths.webhooks,
    {
      schema: {
        tags,
        operationId: "createWebhook",
        summary: "Be told of events, from now on",
        description:
          "Deliveries are signed as Standard Webhooks says. `secret` is answered this once. `uri` may be written for `url`, and `event` for a list of one. An API key that asks for consents needs the scope consents:read too. Mails about it are in the language that `Accept-Language` likes best, of English and French.",
        body: WebhookIn,
        response: { 201: SecretOut },
      },
    },
    async (req, reply) => {
      const { body } = req;
      const given = { url: await readUrl(app, body), events: toEvents(body), body };
      const headers = (made: SecretOut) => ({
        location: hrefOf(app.publicUrl, paths.webhook, { id: made.id }),
        etag: `"${made.version}"`,
      });
      return answerWrite(write(app, { req, reply, status: 201, headers }), async (ctx) => {
        const language = negotiateLanguage(req, mailLanguages);
        const { row, secret } = await createWebhook(ctx, app, { ...given, language });
        return { ...toWebhookOut(row, app), secret };
      });
    },
  );
}

function registerChanges(http: Http, app: WebhooksApp): void {
  http.patch(
    paths.webhook,
    {
      schema: {
        tags,
        operationId: "patchWebhook",
        summary: "Change a webhook, disable or enable it",
        params: WebhookParams,
        body: WebhookPatchIn,
        response: { 200: WebhookOut },
      },
    },
    async (req, reply) => {
      const { body } = req;
      const given = { url: await readUrl(app, body), events: toEvents(body), patch: body };
      const target = { id: req.params.id, ifMatch: req.headers["if-match"] };
      return answerWrite(write(app, { req, reply, headers: toHeaders }), async (ctx) =>
        toWebhookOut(await changeWebhook(ctx, app, { ...given, ...target }), app),
      );
    },
  );
  http.delete(
    paths.webhook,
    {
      schema: {
        tags,
        operationId: "deleteWebhook",
        summary: "Delete a webhook, and what waits for it",
        params: WebhookParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite(write(app, { req, reply, status: 204 }), (ctx) =>
        removeWebhook(ctx, { id: req.params.id, ifMatch: req.headers["if-match"] }),
      ),
  );
}

/** Other secrets and keys, with the ones before for a time. */
function registerRotations(http: Http, app: WebhooksApp): void {
  http.post(
    paths.webhookSecret,
    {
      schema: {
        tags,
        operationId: "rotateWebhookSecret",
        summary: "Give a webhook another secret",
        description: "The one before signs too, for a day where nothing else is said.",
        params: WebhookParams,
        body: RotateIn,
        response: { 200: SecretOut },
      },
    },
    (req, reply) =>
      answerWrite(write(app, { req, reply }), async (ctx) => {
        const overlapHours = req.body?.overlapHours;
        const { row, secret } = await rotateWebhookSecret(ctx, app, {
          id: req.params.id,
          overlapHours,
        });
        return { ...toWebhookOut(row, app), secret };
      }),
  );
  http.post(
    paths.webhookKey,
    {
      schema: {
        tags,
        operationId: "rotateWebhookKey",
        summary: "Give a webhook another Ed25519 key",
        description:
          "`publicKey` is the new one's. The one before signs too, for a day where nothing else is said, and is among `earlierPublicKeys` as long.",
        params: WebhookParams,
        body: RotateIn,
        response: { 200: WebhookOut },
      },
    },
    (req, reply) =>
      answerWrite(write(app, { req, reply, headers: toHeaders }), async (ctx) => {
        const overlapHours = req.body?.overlapHours;
        const asked = { id: req.params.id, overlapHours };
        return toWebhookOut(await rotateWebhookKey(ctx, app, asked), app);
      }),
  );
}

function toHeaders({ version }: WebhookOut): Record<string, string> {
  return { etag: `"${version}"` };
}

interface Answering<T> {
  req: FastifyRequest;
  reply: FastifyReply;
  status?: number;
  headers?: (result: T) => Record<string, string>;
}

function write<T>({ db, now }: WebhooksApp, answering: Answering<T>) {
  return { db, now, ...answering };
}

/** Read before the transaction: names are looked up. */
async function readUrl(
  { config, lookup }: WebhooksApp,
  { url, uri }: { url?: string; uri?: string },
): Promise<URL | undefined> {
  const text = url ?? uri;
  const { allowedNetworks: allowed } = config.webhooks;
  return text === undefined ? undefined : readAddress(text, { allowed, lookup });
}

function toEvents({ events, event }: { events?: string[]; event?: string }): string[] | undefined {
  const names = event === undefined ? events : [...(events ?? []), event];
  return names && [...new Set(names)];
}
