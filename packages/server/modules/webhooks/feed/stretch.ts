import {
  type NumberedTrailRow,
  listNumberedEvents,
} from "../../../kernel/events/numbered-store.ts";
import type { Db, Tx } from "../../../platform/db/db.ts";
import { ENVELOPE_BYTES_MAX } from "../deliveries/bodies.ts";
import { isConsentName } from "../endpoints/consent-rights.ts";
import type { WebhookEvent } from "@avow/contract/webhooks";
import { toDeliveredName } from "../endpoints/events.ts";
import type { ConsentOutline, WebhooksApp } from "../ports.ts";
import type { Cursor } from "./store.ts";
import type { Subscriber } from "./subscribers-store.ts";

/** An event or a consent, with all that decides which endpoints receive it. */
interface Message {
  /** Every name it is delivered under. */
  names: string[];
  eventId: number | null;
  projectId: string | null;
  consentId: string | null;
  /** The document whose receivers may receive it. */
  about: string;
  /** The subject: deliveries of one subject are sent in order. */
  order: string;
  at: Date;
  collection: string | null;
  identifier: string | null;
  /** Upper bound of the body's size. */
  bytesMax: number;
}

export type Subscription = Omit<Subscriber, "pending" | "position" | "leaf">;

/** A message for one subscription, under one name. */
export interface Match<S> {
  message: Message;
  event: string;
  subscription: S;
}

/** Limits of one stretch. */
const EVENTS_MAX = 500;
const LEAVES_MAX = 2_000;

interface Range<S> {
  from: Cursor;
  until: Cursor;
  /** Reads messages of this project only; null: of all. */
  projectId: string | null;
  /** The subscriptions that messages of these projects and for these users may match. */
  findSubscriptions: (of: { projectIds: string[]; userIds: string[] }) => Promise<readonly S[]>;
}

/**
 * Reads the next events and consents, matched with subscriptions. Both orders are settled, so that none is missed.
 * Records are read of projects with a subscription to consents only.
 */
export async function readStretch<S extends Subscription>(
  db: Db | Tx,
  { sources }: Pick<WebhooksApp, "sources">,
  { from, until, projectId, findSubscriptions }: Range<S>,
): Promise<{ matches: Match<S>[]; to: Cursor }> {
  const limit = Math.min(EVENTS_MAX, until.position - from.position);
  const rows = limit > 0 ? await listNumberedEvents(db, { after: from.position, limit }) : [];
  const to = {
    position: rows.at(-1)?.position ?? until.position,
    leaf: Math.min(until.leaf, from.leaf + LEAVES_MAX),
  };
  const leaves = { from: from.leaf, to: to.leaf };
  const isOwn = (one: { projectId: string | null }) =>
    projectId === null || one.projectId === projectId;
  const placed = to.leaf > from.leaf ? await sources.listPlacedConsents(leaves) : [];
  const logged = placed.filter(isOwn);
  const events = rows.flatMap(toEventMessage).filter(isOwn);
  const logProjects = unique(logged.map((one) => one.projectId));
  const projectIds = unique([...logProjects, ...events.flatMap((one) => one.projectId ?? [])]);
  const about = unique([...logProjects, ...events.map((one) => one.about)]);
  const receivers = await sources.listReceivers(db, about);
  const userIds = unique([...receivers.values()].flatMap((users) => [...users]));
  const subscriptions = await findSubscriptions({ projectIds, userIds });
  const mayReceive = ({ created_by: creator }: S, id: string) =>
    receivers.get(id)?.has(creator) === true;
  const ofConsents = subscriptions.filter((one) => one.events.some(isConsentName));
  const read = new Set(
    logProjects.filter((id) =>
      ofConsents.some((one) => (one.project_id ?? id) === id && mayReceive(one, id)),
    ),
  );
  const outlines = await sources.listRecordOutlines(
    logged.filter((one) => read.has(one.projectId)),
  );
  // The ids of one token's records are in the order of its answers, the leaves are not.
  const consents = outlines.toSorted((a, b) => (a.consentId < b.consentId ? -1 : 1));
  const matches = [...events, ...consents.map(toConsentMessage)].flatMap((message) =>
    subscriptions
      .filter((one) => mayReceive(one, message.about) && isWanted(one, message))
      .flatMap((subscription) =>
        message.names
          .filter((name) => subscription.events.includes(name))
          .map((event) => ({ message, event, subscription })),
      ),
  );
  return { matches, to };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Events without a configuration pass the filters of configurations. */
function isSame(wanted: string | null, present: string | null): boolean {
  return wanted === null || present === null || wanted === present;
}

function isWanted(subscription: Subscription, message: Message): boolean {
  const { project_id: projectId, collection, identifier } = subscription;
  return (
    (projectId === null || projectId === message.projectId) &&
    isSame(collection, message.collection) &&
    isSame(identifier, message.identifier) &&
    message.at >= subscription.delivers_from
  );
}

function toEventMessage(row: NumberedTrailRow): Message[] {
  const name = toDeliveredName(row.name, row.data);
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

function toConsentMessage(outline: ConsentOutline): Message {
  const { projectId, consentId, token, collection, identifier, isWithdrawal } = outline;
  const created: WebhookEvent = "consent.created";
  const withdrawn: WebhookEvent = "consent.withdrawn";
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
