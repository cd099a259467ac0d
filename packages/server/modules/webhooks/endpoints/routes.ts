import { Type } from "typebox";
import { hrefOf, paths } from "@avow/contract/urls";
import { isUnchanged } from "../../../http/files/etags.ts";
import type { Http } from "../../../http/http.ts";
import { negotiateLanguage } from "../../../http/files/negotiation.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import type { WebhooksApp } from "../ports.ts";
import { readAddress } from "./address.ts";
import { toAsyncApi } from "./asyncapi.ts";
import { toWebhookEtag, toWebhookOut } from "./endpoint-out.ts";
import {
  type EndpointFields,
  WEBHOOKS_MAX,
  changeWebhook,
  createWebhook,
  removeWebhook,
  toUnknown,
} from "./endpoints.ts";
import { rotate } from "./rotation.ts";
import {
  RotateIn,
  SecretOut,
  WebhookIn,
  WebhookOut,
  WebhookParams,
  WebhookPatchIn,
  WebhooksOut,
} from "./schema.ts";
import { findEndpoint, listEndpoints } from "./store.ts";

const tags = ["webhooks"];
const toHeaders = (webhook: WebhookOut) => ({ etag: toWebhookEtag(webhook) });

/** Registers endpoints, their secrets, and the description of events (wire section 6). */
export function registerEndpointRoutes(http: Http, app: WebhooksApp): void {
  registerReads(http, app);
  registerWrites(http, app);
  registerRotations(http, app);
}

function registerReads(http: Http, app: WebhooksApp): void {
  http.get(
    paths.webhooks,
    {
      schema: {
        tags,
        operationId: "listWebhooks",
        summary: "List the caller's webhooks, oldest first",
        description: "Secrets are not included.",
        response: { 200: WebhooksOut },
      },
    },
    async (req) => {
      const rows = await listEndpoints(app.db, toScope(req.actor), WEBHOOKS_MAX);
      return { webhooks: rows.map((row) => toWebhookOut(row, app)) };
    },
  );
  http.get(
    paths.webhook,
    {
      schema: {
        tags,
        operationId: "getWebhook",
        summary: "Get a webhook",
        description: "With the state of its queue.",
        params: WebhookParams,
        response: { 200: WebhookOut, 304: Type.Null() },
      },
    },
    async (req, reply) => {
      const { id } = req.params;
      const row = await findEndpoint(app.db, toScope(req.actor), id);
      if (!row) throw toUnknown(id);
      if (isUnchanged(req, reply, toWebhookEtag(row))) return reply.code(304).send(null);
      return toWebhookOut(row, app);
    },
  );
  const document = toAsyncApi(app.publicUrl);
  http.get(
    paths.asyncapi,
    {
      config: { cors: "any" },
      schema: {
        tags,
        operationId: "getAsyncapi",
        summary: "Get all events as an AsyncAPI 3 document",
        description: "Payloads and headers of every event.",
        response: { 200: Type.Object({}, { additionalProperties: true }) },
      },
    },
    async (_req, reply) => {
      void reply.header("cache-control", "public, max-age=300");
      return { ...document };
    },
  );
}

function registerWrites(http: Http, app: WebhooksApp): void {
  const { db, now } = app;
  http.post(
    paths.webhooks,
    {
      schema: {
        tags,
        operationId: "createWebhook",
        summary: "Create a webhook",
        description:
          "The webhook receives events from now on. Deliveries are signed according to Standard Webhooks. `secret` is returned only once. `uri` is accepted as an alias of `url`, and a single `event` instead of `events`. An API key that asks for consents needs the scope consents:read too. Mails about the webhook are in the language that `Accept-Language` prefers, of English and French.",
        body: WebhookIn,
        response: { 201: SecretOut },
      },
    },
    async (req, reply) => {
      const parsed = { ...(await parse(app, req.body)), body: req.body };
      const headers = (made: SecretOut) => ({
        location: hrefOf(app.publicUrl, paths.webhook, { id: made.id }),
        ...toHeaders(made),
      });
      return answerWrite({ db, now, req, reply, status: 201, headers }, async (ctx) => {
        const language = negotiateLanguage(req, mailLanguages);
        const { endpoint, secret } = await createWebhook(ctx, app, { ...parsed, language });
        return { ...toWebhookOut(endpoint, app), secret };
      });
    },
  );
  http.patch(
    paths.webhook,
    {
      schema: {
        tags,
        operationId: "patchWebhook",
        summary: "Change a webhook, disable or enable it",
        description: "Enabling a webhook resumes its pending deliveries.",
        params: WebhookParams,
        body: WebhookPatchIn,
        response: { 200: WebhookOut },
      },
    },
    async (req, reply) => {
      const parsed = { ...(await parse(app, req.body)), patch: req.body };
      const target = { id: req.params.id, ifMatch: req.headers["if-match"] };
      return answerWrite({ db, now, req, reply, headers: toHeaders }, async (ctx) =>
        toWebhookOut(await changeWebhook(ctx, app, { ...parsed, ...target }), app),
      );
    },
  );
  http.delete(
    paths.webhook,
    {
      schema: {
        tags,
        operationId: "deleteWebhook",
        summary: "Delete a webhook with its deliveries",
        description: "Pending deliveries are discarded.",
        params: WebhookParams,
        response: { 204: Type.Null() },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, status: 204 }, (ctx) =>
        removeWebhook(ctx, { id: req.params.id, ifMatch: req.headers["if-match"] }),
      ),
  );
}

function registerRotations(http: Http, app: WebhooksApp): void {
  const { db, now, sealing } = app;
  http.post(
    paths.webhookSecret,
    {
      schema: {
        tags,
        operationId: "rotateWebhookSecret",
        summary: "Rotate a webhook's secret",
        description:
          "Deliveries are signed with the previous secret as well, for 24 hours by default.",
        params: WebhookParams,
        body: RotateIn,
        response: { 200: SecretOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply }, async (ctx) => {
        const rotation = { ...req.body, id: req.params.id, part: "secret" } as const;
        const { endpoint, secret } = await rotate(ctx, sealing, rotation);
        return { ...toWebhookOut(endpoint, app), secret };
      }),
  );
  http.post(
    paths.webhookKey,
    {
      schema: {
        tags,
        operationId: "rotateWebhookKey",
        summary: "Rotate a webhook's Ed25519 key",
        description:
          "`publicKey` belongs to the new key. Deliveries are signed with the previous key as well, for 24 hours by default; until then, `earlierPublicKeys` lists it.",
        params: WebhookParams,
        body: RotateIn,
        response: { 200: WebhookOut },
      },
    },
    (req, reply) =>
      answerWrite({ db, now, req, reply, headers: toHeaders }, async (ctx) => {
        const rotation = { ...req.body, id: req.params.id, part: "key" } as const;
        return toWebhookOut((await rotate(ctx, sealing, rotation)).endpoint, app);
      }),
  );
}

/** Runs before the transaction, since it resolves the host. */
async function parse(
  { config, lookup }: WebhooksApp,
  { url, uri, event, events }: WebhookPatchIn,
): Promise<EndpointFields> {
  const text = url ?? uri;
  const { allowedNetworks: allowed } = config.webhooks;
  const names = event === undefined ? events : [...(events ?? []), event];
  return {
    url: text === undefined ? undefined : await readAddress(text, { allowed, lookup }),
    events: names && [...new Set(names)],
  };
}
