import type { Db } from "../../platform/db/db.ts";
import type { Scope } from "../../platform/actor.ts";
import type { WebhooksApp } from "./app.ts";
import { readBodies } from "./bodies.ts";
import { findHeadPlace } from "./feed-store.ts";
import { type Message, readStretch } from "./messages.ts";
import { parsePlace, toPlaceCursor } from "./places.ts";
import type { EventOut } from "./schema.ts";

/** What the caller wants to see of what happened. */
export interface Asked {
  cursor: string | undefined;
  limit: number;
  projectId: string | undefined;
  collection: string | undefined;
  identifier: string | undefined;
  names: readonly string[] | undefined;
  /** Whether consents are told, where nothing is said of names. */
  consents: boolean;
}

/**
 * What happened after a cursor where the caller may receive it, in the order of webhooks, and the cursor
 * to ask with next: always one, for more will happen. A page may be empty though more follows, since each
 * looks at a bounded stretch of what happened to all.
 * @throws Fault invalid for a cursor that is not of this list
 */
export async function listHappened(
  app: Pick<WebhooksApp, "db" | "sources" | "publicUrl">,
  scope: Scope,
  asked: Asked,
): Promise<{ items: EventOut[]; next: string }> {
  const { db, sources } = app;
  const head = await findHeadPlace(db);
  const from = parsePlace(asked.cursor);
  if (!from) return { items: [], next: toPlaceCursor(head) };
  const until = {
    position: Math.max(from.position, Math.min(head.position, from.position + asked.limit)),
    leaf: Math.max(from.leaf, Math.min(head.leaf, from.leaf + asked.limit)),
  };
  const mayReceive = async (ids: readonly string[]) => {
    const receivers = await sources.listReceivers(db, ids);
    return new Set(ids.filter((id) => isReceiver(receivers.get(id), scope)));
  };
  const { messages, to } = await readStretch(db, app, {
    from,
    until,
    isAsked: async (ids) =>
      mayReceive(asked.consents ? ids.filter((id) => isOf(id, asked.projectId)) : []),
  });
  const allowed = await mayReceive([...new Set(messages.map(({ about }) => about))]);
  const seen = messages.filter((message) => allowed.has(message.about) && isWanted(message, asked));
  return { items: await toEvents(db, app, { seen, asked }), next: toPlaceCursor(to) };
}

function isReceiver(users: ReadonlySet<string> | undefined, scope: Scope): boolean {
  return scope.kind === "system" || users?.has(scope.userId) === true;
}

function isOf(projectId: string, wanted: string | undefined): boolean {
  return wanted === undefined || wanted === projectId;
}

/** What is of no configuration at all is not narrowed by one. */
function isFine(wanted: string | undefined, present: string | null): boolean {
  return wanted === undefined || present === null || wanted === present;
}

function isWanted({ projectId, collection, identifier }: Message, asked: Asked): boolean {
  if (asked.projectId !== undefined && projectId !== asked.projectId) return false;
  return isFine(asked.collection, collection) && isFine(asked.identifier, identifier);
}

/** Each under every name that was asked for; older names only where they were. */
async function toEvents(
  db: Db,
  app: Pick<WebhooksApp, "sources" | "publicUrl">,
  { seen, asked }: { seen: readonly Message[]; asked: Asked },
): Promise<EventOut[]> {
  const told = seen.flatMap((message) =>
    message.names
      .filter((name) => asked.names?.includes(name) ?? !name.includes("/"))
      .map((event) => ({
        event,
        event_id: message.eventId,
        project_id: message.projectId,
        consent_id: message.consentId,
        at: message.at,
      })),
  );
  const bodies = await readBodies(db, app, told);
  return told.flatMap(({ event, at }, n) => {
    const body = bodies[n];
    if (!body) return [];
    const { data = {} } = JSON.parse(body.text) as { data?: Record<string, unknown> };
    // The record itself is the body of the older name.
    const whole = event.includes("/") ? (JSON.parse(body.text) as Record<string, unknown>) : data;
    return [{ id: body.id, type: event, timestamp: at.toISOString(), data: whole }];
  });
}
