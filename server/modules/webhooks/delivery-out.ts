import { hrefOf, paths } from "../../paths.ts";
import type { DeliveryRow } from "./deliveries-store.ts";
import type { DeliveryOut } from "./schema.ts";

/** A delivery as the log shows it. */
export function toDeliveryOut(row: DeliveryRow, publicUrl: string): DeliveryOut {
  const id = String(row.id);
  const params = { id: row.webhook_id, deliveryId: id };
  const { consent_id: consentId } = row;
  return {
    _id: id,
    id,
    webhookId: row.webhook_id,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    tried: row.tried,
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
