import type { Db } from "../../platform/db/db.ts";
import type { WebhooksApp } from "./app.ts";
import type { DeliveryRow } from "./deliveries-store.ts";
import { TEST_EVENT, olderNamePattern } from "./events.ts";
import { listEvents } from "./feed-store.ts";

/** What is sent: the same each time it is tried, for what it tells never changes. */
export interface Body {
  /** The `webhook-id`: one for each thing that happened and each name of it. */
  id: string;
  text: string;
}

export type Telling = Pick<DeliveryRow, "event" | "event_id" | "project_id" | "consent_id">;

type Reading = Pick<WebhooksApp, "sources" | "publicUrl">;

/** The bodies of deliveries, in their order; undefined where what is to be told was erased. */
export async function readBodies(
  db: Db,
  { sources, publicUrl }: Reading,
  deliveries: readonly Telling[],
): Promise<(Body | undefined)[]> {
  const eventIds = new Set(deliveries.flatMap((delivery) => delivery.event_id ?? []));
  const keys = new Map(
    deliveries.flatMap(({ project_id: projectId, consent_id: consentId }) =>
      consentId === null || projectId === null ? [] : [[consentId, { projectId, consentId }]],
    ),
  );
  const [events, consents] = await Promise.all([
    listEvents(db, [...eventIds]),
    sources.listToldConsents(db, [...keys.values()], publicUrl),
  ]);
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const consentOf = new Map(consents.map((consent) => [consent.consentId, consent]));
  return deliveries.map(({ event: name, event_id: eventId, consent_id: consentId }) => {
    const consent = consentId === null ? undefined : consentOf.get(consentId);
    if (consent) return toConsentBody(name, consent);
    const event = eventId === null ? undefined : eventOf.get(eventId);
    return event && toEventBody(name, event);
  });
}

function toConsentBody(name: string, consent: { consentId: string; createdAt: string }): Body {
  const { consentId, createdAt } = consent;
  if (olderNamePattern.test(name))
    return { id: `msg_record_${consentId}`, text: JSON.stringify(consent) };
  const id = `msg_${name.replace("consent.", "")}_${consentId}`;
  return { id, text: JSON.stringify({ type: name, timestamp: createdAt, data: consent }) };
}

type Event = Awaited<ReturnType<typeof listEvents>>[number];

function toEventBody(name: string, event: Event): Body {
  const { id, project_id: projectId, document_id: documentId, created_at: at } = event;
  const data = {
    ...(projectId === null ? {} : { projectId }),
    ...(documentId === null ? {} : { documentId }),
    ...event.data,
    ...(name === TEST_EVENT ? { message: "This is a test." } : {}),
  };
  const body = { type: name, timestamp: at.toISOString(), data };
  return { id: `msg_event_${id}`, text: JSON.stringify(body) };
}
