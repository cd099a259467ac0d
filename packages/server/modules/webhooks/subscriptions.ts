import type { Message } from "./messages.ts";
import type { Subscriber } from "./subscribers-store.ts";

/** A delivery to be. */
export interface NewDelivery {
  webhookId: string;
  event: string;
  eventId: number | null;
  projectId: string | null;
  consentId: string | null;
  collection: string | null;
  identifier: string | null;
  orderKey: number;
  /** Its body has no more bytes than that. */
  bytesMax: number;
}

/** Whether a webhook's own choices let it be told of a message, whoever made it. */
function isWanted(subscriber: Subscriber, message: Message): boolean {
  const { project_id: projectId, collection, identifier } = subscriber;
  if (projectId !== null && projectId !== message.projectId) return false;
  // What is of no configuration at all is not narrowed by one.
  if (message.collection !== null && collection !== null && collection !== message.collection)
    return false;
  if (message.identifier !== null && identifier !== null && identifier !== message.identifier)
    return false;
  return message.at >= subscriber.tells_from;
}

/**
 * Who is told of which messages, in the order of these: each webhook under every name that it asks for,
 * where its maker may receive what happens there now.
 */
export function toDeliveries(
  messages: readonly Message[],
  subscribers: readonly Subscriber[],
  {
    receivers,
    toKey,
  }: {
    receivers: ReadonlyMap<string, ReadonlySet<string>>;
    toKey: (text: string) => number;
  },
): NewDelivery[] {
  return messages.flatMap((message) => {
    const { eventId, projectId, consentId, collection, identifier, about, order, names } = message;
    const { bytesMax } = message;
    const users = receivers.get(about);
    return subscribers
      .filter((one) => users?.has(one.created_by) && isWanted(one, message))
      .flatMap((one) =>
        names
          .filter((name) => one.events.includes(name))
          .map((event) => ({
            webhookId: one.id,
            event,
            eventId,
            projectId,
            consentId,
            collection,
            identifier,
            orderKey: toKey(order),
            bytesMax,
          })),
      );
  });
}
