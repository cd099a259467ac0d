import { hrefOf, paths } from "@avow/contract/urls";
import { cursorListOf } from "../../../http/lists/cursors.ts";
import type { Http } from "../../../http/http.ts";
import { answerWrite } from "../../../http/write.ts";
import { toScope } from "../../../kernel/actor.ts";
import { assertNoFaults } from "../../../platform/errors.ts";
import { assertMayRead, mayReadConsents } from "../endpoints/consent-rights.ts";
import { toWebhookOut } from "../endpoints/endpoint-out.ts";
import { isDeliveredName } from "../endpoints/events.ts";
import { WebhookOut, WebhookParams } from "../endpoints/schema.ts";
import type { WebhooksApp } from "../ports.ts";
import { listFeed } from "./event-list.ts";
import { replayWebhook } from "./replay.ts";
import { EventOut, EventsQueryIn, ReplayIn } from "./schema.ts";

const tags = ["webhooks"];
/** Wrong names reported at a time. */
const WRONG_MAX = 10;

/** Registers the list of events, to be polled, and replays (wire section 6). */
export function registerFeedRoutes(http: Http, app: WebhooksApp): void {
  http.get(
    paths.webhookEvents,
    {
      config: { log: "failures" },
      schema: {
        tags,
        operationId: "listEvents",
        summary: "List events after a cursor, oldest first",
        description:
          "The same events as webhooks receive, of every project whose events the caller may receive. `links.next` is always present: poll it for later events. A page may be empty although later pages have events. An API key without the scope consents:read receives no consents, and may not ask for them.",
        querystring: EventsQueryIn,
        response: { 200: cursorListOf(EventOut) },
      },
    },
    async (req) => {
      const { events, cursor, ...rest } = req.query;
      const names = events?.split(",");
      assertNames(names ?? []);
      assertMayRead(req.actor, names ?? []);
      const rights = { names, mayReadConsents: mayReadConsents(req.actor) };
      const query = { ...rest, ...(cursor === undefined ? {} : { cursor }), ...rights };
      const { items, next } = await listFeed(app, toScope(req.actor), query);
      const at = (from: string | undefined) =>
        hrefOf(app.publicUrl, paths.webhookEvents, {}, { ...rest, events, cursor: from });
      return { items, links: { self: at(cursor), next: at(next) } };
    },
  );
  http.post(
    paths.webhookReplay,
    {
      schema: {
        tags,
        operationId: "replayWebhook",
        summary: "Replay events to a webhook from an instant or a cursor",
        description: "With the same `webhook-id`s, in the same order; later events follow.",
        params: WebhookParams,
        body: ReplayIn,
        response: { 202: WebhookOut },
      },
    },
    (req, reply) => {
      const { db, now } = app;
      return answerWrite({ db, now, req, reply, status: 202 }, async (ctx) =>
        toWebhookOut(await replayWebhook(ctx, app, { ...req.body, id: req.params.id }), app),
      );
    },
  );
}

/** @throws Fault invalid for unknown names: their list would stay empty */
function assertNames(names: readonly string[]): void {
  const wrong = names.filter((name) => !isDeliveredName(name)).slice(0, WRONG_MAX);
  assertNoFaults(
    wrong.map((name) => ({ path: "/events", message: `${JSON.stringify(name)} is no event` })),
  );
}
