import { hrefOf, paths } from "@avow/contract/urls";
import type { WebhooksApp } from "../ports.ts";
import { toHiddenHeaders } from "./headers.ts";
import type { WebhookOut } from "./schema.ts";
import { type Secrets, toOutgoingKeys, toPublicKey } from "./signing.ts";
import type { Endpoint } from "./store.ts";

/** An endpoint as the API returns it (wire section 6), without its secret. */
export function toWebhookOut(
  row: Endpoint,
  { publicUrl, sealing, now }: Pick<WebhooksApp, "publicUrl" | "sealing" | "now">,
): WebhookOut {
  const { id } = row;
  const secrets = sealing.unseal<Secrets>(row.secrets);
  const outgoing = toOutgoingKeys(secrets, now());
  const at = (path: Parameters<typeof hrefOf>[1]) => hrefOf(publicUrl, path, { id } as never);
  return {
    _id: id,
    id,
    url: row.url,
    uri: row.url,
    events: row.events,
    event: row.events[0] ?? "",
    projectId: row.project_id,
    collection: row.collection,
    identifier: row.identifier,
    headers: toHiddenHeaders(sealing.unseal<Record<string, string>>(row.headers)),
    enabled: row.enabled,
    disabledBecause: row.disabled_because,
    failingSince: row.failing_since?.toISOString() ?? null,
    publicKey: toPublicKey(secrets.ed25519),
    earlierPublicKeys: outgoing.map(({ ed25519, until }) => ({
      publicKey: toPublicKey(ed25519),
      endsAt: until,
    })),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
    version: row.version,
    links: {
      self: at(paths.webhook),
      webhooks: hrefOf(publicUrl, paths.webhooks, {}),
      deliveries: at(paths.webhookDeliveries),
      test: at(paths.webhookTest),
      secret: at(paths.webhookSecret),
      key: at(paths.webhookKey),
      replay: at(paths.webhookReplay),
      ...(row.project_id === null
        ? {}
        : { project: hrefOf(publicUrl, paths.clientProject, { id: row.project_id }) }),
    },
  };
}

export function toWebhookEtag({ version }: Pick<Endpoint, "version">): string {
  return `"${version}"`;
}
