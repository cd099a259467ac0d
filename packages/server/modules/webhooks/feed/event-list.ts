import type { Scope } from "../../../kernel/actor.ts";
import { readBodies } from "../deliveries/bodies.ts";
import { isConsentName } from "../endpoints/consent-rights.ts";
import { webhookEvents } from "@avow/contract/webhooks";
import type { WebhooksApp } from "../ports.ts";
import { parseFeedCursor, toCursorText } from "./cursor.ts";
import type { EventOut, EventsQueryIn } from "./schema.ts";
import { type Cursor, findHead } from "./store.ts";
import { type Match, type Subscription, readStretch } from "./stretch.ts";

/** Bodies of one page: pages of long events are shorter. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024;
const SHORTER = 4;

type Listing = Pick<WebhooksApp, "db" | "sources" | "publicUrl" | "counters">;

/**
 * Lists events after a cursor that the caller may receive, in the order of webhooks, and the next cursor. Each page
 * reads a bounded stretch of the whole feed, so it may be empty although later pages have events.
 * @throws Fault invalid for a cursor of another list
 */
export async function listFeed(
  app: Listing,
  scope: Scope,
  query: Omit<EventsQueryIn, "events"> & {
    /** All names by default. */
    names: readonly string[] | undefined;
    mayReadConsents: boolean;
  },
): Promise<{ items: EventOut[]; next: string }> {
  const { cursor, names, mayReadConsents, projectId = null } = query;
  const head = await findHead(app.db);
  const from = parseFeedCursor(cursor, app.counters);
  if (!from) return { items: [], next: toCursorText(head, app.counters) };
  const { collection = null, identifier = null } = query;
  const ownNames = webhookEvents.filter((name) => mayReadConsents || !isConsentName(name));
  const subscription = {
    id: "",
    created_by: scope.kind === "user" ? scope.userId : "",
    project_id: projectId,
    events: [...(names ?? ownNames)],
    collection,
    identifier,
    delivers_from: new Date(0),
  };
  for (let { limit } = query; ; limit = Math.ceil(limit / SHORTER)) {
    const { matches, to } = await readStretch(app.db, app, {
      from,
      until: toUntil(from, head, limit),
      projectId,
      findSubscriptions: () => Promise.resolve([subscription]),
    });
    const bytes = matches.reduce((sum, { message }) => sum + message.bytesMax, 0);
    if (bytes > PAGE_BYTES_MAX && limit > 1) continue;
    return { items: await toEvents(app, matches), next: toCursorText(to, app.counters) };
  }
}

function toUntil(from: Cursor, head: Cursor, limit: number): Cursor {
  return {
    position: Math.max(from.position, Math.min(head.position, from.position + limit)),
    leaf: Math.max(from.leaf, Math.min(head.leaf, from.leaf + limit)),
  };
}

async function toEvents(
  app: Listing,
  matches: readonly Match<Subscription>[],
): Promise<EventOut[]> {
  const subjects = matches.map(({ event, message }) => ({
    event,
    event_id: message.eventId,
    project_id: message.projectId,
    consent_id: message.consentId,
  }));
  const bodies = await readBodies(app, subjects);
  return matches.flatMap(({ event: type, message }, n) => {
    const body = bodies[n];
    if (!body) return [];
    return [{ id: body.id, type, timestamp: message.at.toISOString(), data: body.data }];
  });
}
