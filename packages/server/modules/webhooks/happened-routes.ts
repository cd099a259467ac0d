import { hrefOf, paths } from "@avow/contract/urls";
import { toScope } from "../../kernel/actor.ts";
import { assertNoFaults } from "../../platform/errors.ts";
import { cursorListOf } from "../../http/cursors.ts";
import type { Http } from "../../http/http.ts";
import type { WebhooksApp } from "./app.ts";
import { assertMayRead, mayReadConsents } from "./consent-rights.ts";
import { isToldName } from "./events.ts";
import { listHappened } from "./happened.ts";
import { EventOut, EventsQueryIn } from "./schema.ts";

/** Of wrong names so many are told. */
const WRONG_MAX = 10;

/** @throws Fault invalid for names that nothing is told under: who asks for them would wait for ever */
function assertTold(names: readonly string[]): void {
  const wrong = names.filter((name) => !isToldName(name)).slice(0, WRONG_MAX);
  assertNoFaults(
    wrong.map((name) => ({ path: "/events", message: `${JSON.stringify(name)} is no event` })),
  );
}

/** Registers the list of what happened, for who would rather ask than be told. */
export function registerHappenedRoute(http: Http, app: WebhooksApp): void {
  http.get(
    paths.webhookEvents,
    {
      config: { log: "failures" },
      schema: {
        tags: ["webhooks"],
        operationId: "listEvents",
        summary: "What happened after a cursor, oldest first",
        description:
          "The same events as webhooks tell, of every project whose events the caller may receive. `links.next` is always there: ask it again for what happens next. A page may be empty though more follows. An API key without the scope consents:read is told no consents, and may not ask for them.",
        querystring: EventsQueryIn,
        response: { 200: cursorListOf(EventOut) },
      },
    },
    async (req) => {
      const { limit, cursor, projectId, collection, identifier, events } = req.query;
      const names = events?.split(",");
      assertTold(names ?? []);
      const filters = { projectId, collection, identifier };
      assertMayRead(req.actor, names ?? []);
      const asked = { limit, cursor, ...filters, names, consents: mayReadConsents(req.actor) };
      const { items, next } = await listHappened(app, toScope(req.actor), asked);
      const at = (from: string | undefined) =>
        hrefOf(app.publicUrl, paths.webhookEvents, {}, { limit, ...filters, events, cursor: from });
      return { items, links: { self: at(cursor), next: at(next) } };
    },
  );
}
