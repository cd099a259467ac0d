import type { Db, Tx } from "../../../platform/db/db.ts";
import { TEST_EVENT, olderNamePattern } from "../endpoints/events.ts";
import type { WebhooksApp } from "../ports.ts";
import { type DeliveryRow, type EventRow, listEvents } from "./store.ts";

/** A body beside its data: name, time, ids. */
export const ENVELOPE_BYTES_MAX = 1_024;

/** The body of a delivery: the same for each attempt, since events and records never change. */
export interface Body {
  /** The `webhook-id`: one for each event and name. */
  id: string;
  json: object;
  /** `data` of the list of events. */
  data: object;
}

type Subject = Pick<DeliveryRow, "event" | "event_id" | "project_id" | "consent_id">;

/** Bodies of deliveries, in their order; undefined for an erased record. */
export async function readBodies(
  {
    db,
    sources,
    publicUrl,
    counters,
  }: Pick<WebhooksApp, "db" | "sources" | "publicUrl" | "counters">,
  subjects: readonly Subject[],
): Promise<(Body | undefined)[]> {
  const eventIds = new Set(subjects.flatMap((subject) => subject.event_id ?? []));
  const keys = new Map(
    subjects.flatMap(({ project_id: projectId, consent_id: consentId }) =>
      consentId === null || projectId === null ? [] : [[consentId, { projectId, consentId }]],
    ),
  );
  const [events, consents] = await Promise.all([
    listEvents(db, [...eventIds]),
    sources.listConsentsForWebhooks([...keys.values()], publicUrl),
  ]);
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const consentOf = new Map(consents.map((consent) => [consent.consentId, consent]));
  return subjects.map(({ event: name, event_id: eventId, consent_id: consentId }) => {
    const consent = consentId === null ? undefined : consentOf.get(consentId);
    if (consent) return toConsentBody(name, consent);
    const event = eventId === null ? undefined : eventOf.get(eventId);
    return event && toEventBody(name, event, counters);
  });
}

function toConsentBody(name: string, consent: { consentId: string; createdAt: string }): Body {
  const { consentId, createdAt } = consent;
  if (olderNamePattern.test(name))
    return { id: `msg_record_${consentId}`, json: consent, data: consent };
  const id = `msg_${name.replace("consent.", "")}_${consentId}`;
  return { id, json: { type: name, timestamp: createdAt, data: consent }, data: consent };
}

function toEventBody(name: string, event: EventRow, { events }: WebhooksApp["counters"]): Body {
  const { project_id: projectId, document_id: documentId, created_at: at } = event;
  const data = {
    ...(projectId === null ? {} : { projectId }),
    ...(documentId === null ? {} : { documentId }),
    ...event.data,
    ...(name === TEST_EVENT ? { message: "This is a test." } : {}),
  };
  const id = `msg_event_${events.toText(event.id)}`;
  return { id, json: { type: name, timestamp: at.toISOString(), data }, data };
}

interface Receivable {
  id: number;
  event: string;
  about: string | null;
  creator: string;
}

/**
 * Ids of the deliveries that the creators of their endpoints may receive now: rights may have changed since the event.
 */
export async function findReceivable(
  db: Db | Tx,
  { sources }: Pick<WebhooksApp, "sources">,
  deliveries: readonly Receivable[],
): Promise<ReadonlySet<number>> {
  if (deliveries.length === 0) return new Set();
  const about = new Set(deliveries.flatMap((one) => one.about ?? []));
  const receivers = await sources.listReceivers(db, [...about]);
  const receivable = deliveries.filter(
    ({ event, about: id, creator }) =>
      event === TEST_EVENT || receivers.get(id ?? "")?.has(creator) === true,
  );
  return new Set(receivable.map(({ id }) => id));
}
