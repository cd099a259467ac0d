import type { Scope } from "../../kernel/actor.ts";
import type { WebhooksApp } from "./app.ts";
import { readBodies } from "./bodies.ts";
import { type Place, findHeadPlace } from "./feed-store.ts";
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

/** A page has fewer events where they are longer: their bodies are all in memory while it is answered. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024;
const SHORTER = 4;

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
  const head = await findHeadPlace(app.db);
  const from = parsePlace(asked.cursor);
  if (!from) return { items: [], next: toPlaceCursor(head) };
  for (let { limit } = asked; ; limit = Math.ceil(limit / SHORTER)) {
    const { seen, to } = await readSeen(app, scope, { asked: { ...asked, limit }, from, head });
    const told = seen.flatMap((message) => toTold(message, asked));
    const bytes = told.reduce((sum, { bytesMax }) => sum + bytesMax, 0);
    if (bytes > PAGE_BYTES_MAX && limit > 1) continue;
    return { items: await toEvents(app, told), next: toPlaceCursor(to) };
  }
}

/** What the caller is told of a stretch, and where that ends. */
async function readSeen(
  { db, sources }: Pick<WebhooksApp, "db" | "sources">,
  scope: Scope,
  { asked, from, head }: { asked: Asked; from: Place; head: Place },
): Promise<{ seen: Message[]; to: Place }> {
  const until = {
    position: Math.max(from.position, Math.min(head.position, from.position + asked.limit)),
    leaf: Math.max(from.leaf, Math.min(head.leaf, from.leaf + asked.limit)),
  };
  const mayReceive = async (ids: readonly string[]) => {
    const receivers = await sources.listReceivers(db, ids);
    return new Set(ids.filter((id) => isReceiver(receivers.get(id), scope)));
  };
  const { messages, to } = await readStretch(
    db,
    { sources },
    {
      from,
      until,
      isAsked: async (ids) =>
        mayReceive(asked.consents ? ids.filter((id) => isOf(id, asked.projectId)) : []),
    },
  );
  const allowed = await mayReceive([...new Set(messages.map(({ about }) => about))]);
  const seen = messages.filter((message) => allowed.has(message.about) && isWanted(message, asked));
  return { seen, to };
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

/** Under every name that was asked for; older names only where they were. */
function toTold(message: Message, asked: Asked) {
  return message.names
    .filter((name) => asked.names?.includes(name) ?? !name.includes("/"))
    .map((event) => ({
      event,
      event_id: message.eventId,
      project_id: message.projectId,
      consent_id: message.consentId,
      at: message.at,
      bytesMax: message.bytesMax,
    }));
}

async function toEvents(
  app: Pick<WebhooksApp, "db" | "sources" | "publicUrl">,
  told: readonly ReturnType<typeof toTold>[number][],
): Promise<EventOut[]> {
  const bodies = await readBodies(app.db, app, told);
  return told.flatMap(({ event, at }, n) => {
    const body = bodies[n];
    if (!body) return [];
    const { data = {} } = JSON.parse(body.text) as { data?: Record<string, unknown> };
    // The record itself is the body of the older name.
    const whole = event.includes("/") ? (JSON.parse(body.text) as Record<string, unknown>) : data;
    return [{ id: body.id, type: event, timestamp: at.toISOString(), data: whole }];
  });
}
