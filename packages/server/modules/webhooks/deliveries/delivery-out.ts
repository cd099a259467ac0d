import { hrefOf, paths } from "@avow/contract/urls";
import type { WebhooksApp } from "../ports.ts";
import type { DeliveryOut } from "./schema.ts";
import type { DeliveryRow } from "./store.ts";

/** A delivery as the API returns it, with the long responses that were kept, by request id. */
export function toDeliveryOut(
  row: DeliveryRow,
  { publicUrl, counters }: Pick<WebhooksApp, "publicUrl" | "counters">,
  longAnswers: ReadonlyMap<string, string> = new Map(),
): DeliveryOut {
  const id = counters.deliveries.toText(row.id);
  const params = { id: row.webhook_id, deliveryId: id };
  const { consent_id: consentId } = row;
  return {
    _id: id,
    id,
    webhookId: row.webhook_id,
    event: row.event,
    projectId: row.project_id,
    collection: row.collection,
    identifier: row.identifier,
    status: row.status,
    attempts: row.attempts,
    tried: row.tried.map((attempt) => ({
      ...attempt,
      answer: longAnswers.get(attempt.requestId) ?? attempt.answer,
    })),
    nextAt: row.next_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    links: {
      self: hrefOf(publicUrl, paths.webhookDelivery, params),
      retry: hrefOf(publicUrl, paths.webhookRetry, params),
      webhook: hrefOf(publicUrl, paths.webhook, { id: row.webhook_id }),
      ...(consentId === null ? {} : { proof: hrefOf(publicUrl, paths.proof, { consentId }) }),
    },
  };
}
