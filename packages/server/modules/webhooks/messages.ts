import type { Db, Tx } from "../../platform/db/db.ts";
import type { Outline, WebhooksApp } from "./app.ts";
import { type EventRow, type ToldName, toToldName } from "./events.ts";
import { type Place, listNumbered } from "./feed-store.ts";

/** Something that happened, as far as it decides who is told. */
export interface Message {
  /** Every name that it is told under. */
  names: string[];
  eventId: number | null;
  projectId: string | null;
  consentId: string | null;
  /** The document whose receivers are told. */
  about: string;
  /** Those with one text are told one after the other. */
  order: string;
  at: Date;
  collection: string | null;
  identifier: string | null;
  /** Its body has no more bytes than that. */
  bytesMax: number;
}

/** Messages from one place to the next. */
export interface Stretch {
  messages: Message[];
  to: Place;
}

type Reading = Pick<WebhooksApp, "sources">;

/** So many events and consents one stretch has at most. */
export const EVENTS_MAX = 500;
export const LEAVES_MAX = 2_000;
/** What a body has beside what it tells: its name, its time, ids. */
export const ENVELOPE_BYTES_MAX = 1_024;

/**
 * What happened after a place, some of it: events by their numbers, consents by their places in the log.
 * Both orders are settled, so that nothing is missed. Consents are read of the projects that `isAsked`
 * names only: those of others cost nothing.
 */
export async function readStretch(
  db: Db | Tx,
  { sources }: Reading,
  {
    from,
    until,
    isAsked,
  }: {
    from: Place;
    until: Place;
    isAsked: (projectIds: readonly string[]) => Promise<ReadonlySet<string>>;
  },
): Promise<Stretch> {
  const limit = Math.min(EVENTS_MAX, until.position - from.position);
  const events = limit > 0 ? await listNumbered(db, { after: from.position, limit }) : [];
  const to = {
    position: events.at(-1)?.position ?? until.position,
    leaf: Math.min(until.leaf, from.leaf + LEAVES_MAX),
  };
  const leaves = { from: from.leaf, to: to.leaf };
  const placed = to.leaf > from.leaf ? await sources.listPlacedConsents(db, leaves) : [];
  const asked = await isAsked([...new Set(placed.map(({ projectId }) => projectId))]);
  const keys = placed.filter(({ projectId }) => asked.has(projectId));
  const told = await sources.listToldOutlines(db, keys);
  // Of one token the ids are in the order of what it answered, whatever the log took first.
  const consents = told.toSorted((a, b) => (a.consentId < b.consentId ? -1 : 1));
  const messages = [...events.flatMap(toEventMessage), ...consents.map(toConsentMessage)];
  return { messages, to };
}

function toEventMessage(row: EventRow): Message[] {
  const name = toToldName(row);
  const about = row.project_id ?? row.document_id;
  if (name === undefined || about === null) return [];
  const isConfiguration = name.startsWith("configuration.");
  const { resource } = row.data;
  return [
    {
      names: [name],
      eventId: row.id,
      projectId: row.project_id,
      consentId: null,
      about,
      order: `document ${row.document_id ?? about}`,
      at: row.created_at,
      collection: isConfiguration && typeof resource === "string" ? resource : null,
      identifier: isConfiguration ? row.document_id : null,
      bytesMax: ENVELOPE_BYTES_MAX + Buffer.byteLength(JSON.stringify(row.data)),
    },
  ];
}

function toConsentMessage(outline: Outline): Message {
  const { projectId, consentId, token, collection, identifier, isWithdrawal } = outline;
  const created: ToldName = "consent.created";
  const withdrawn: ToldName = "consent.withdrawn";
  return {
    names: [created, ...(isWithdrawal ? [withdrawn] : []), `consent/${projectId}`],
    eventId: null,
    projectId,
    consentId,
    about: projectId,
    order: `token ${projectId} ${token}`,
    at: outline.createdAt,
    collection,
    identifier,
    bytesMax: ENVELOPE_BYTES_MAX + outline.bytesMax,
  };
}
