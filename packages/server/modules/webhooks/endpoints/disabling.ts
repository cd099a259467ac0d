import { toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { listUsersById } from "../../../kernel/users-store.ts";
import type { Tx } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { mailLanguages } from "../../../platform/mail/languages.ts";
import type { DisabledLetter, WebhooksApp } from "../ports.ts";
import { type Endpoint, lockEndpoint, updateEndpoint } from "./store.ts";

const sender = { kind: "system", name: "webhooks" } as const;
const OWNERS_MAX = 20;
/** Minimum interval between mails about one endpoint. */
const MAIL_INTERVAL_MS = 86_400_000;

type Disabling = Pick<WebhooksApp, "db" | "now" | "log" | "sources" | "outbox">;
type Reason = DisabledLetter["letter"]["because"];

/** Disables an endpoint and mails its creator and the owners. Pending deliveries are kept. */
export async function disableEndpoint(app: Disabling, id: string, because: Reason): Promise<void> {
  const now = app.now();
  await inTransaction(app.db, async (tx) => {
    const endpoint = await lockEndpoint(tx, { kind: "system" }, id);
    if (!endpoint?.enabled) return;
    const mailedAt = endpoint.disabled_notified_at?.getTime() ?? 0;
    const isMailed = now.getTime() - mailedAt >= MAIL_INTERVAL_MS;
    await updateEndpoint(tx, id, {
      enabled: false,
      disabled_because: because,
      due_at: null,
      updated_at: now,
      version: endpoint.version + 1,
      ...(isMailed ? { disabled_notified_at: now } : {}),
    });
    const { project_id: projectId, created_by: owner } = endpoint;
    await recordEvent(toCtx({ tx, actor: sender, now, requestId: undefined }), {
      name: "webhook.disabled",
      projectId: projectId ?? undefined,
      documentId: id,
      data: { because, owner },
    });
    if (isMailed) await mailOwners(tx, app, endpoint, because);
    app.log.warn({ webhookId: id, because, owner }, "webhook disabled");
  });
}

/** The mail names the host only: the rest of the address may be a secret. */
async function mailOwners(
  tx: Tx,
  { now, sources, outbox }: Disabling,
  { id, project_id: projectId, created_by: creator, url, language: preferred }: Endpoint,
  because: Reason,
): Promise<void> {
  const owners = projectId === null ? [] : await sources.listOwnerIds(tx, projectId, OWNERS_MAX);
  const language = mailLanguages.find((one) => one === preferred) ?? mailLanguages[0];
  const letter = {
    kind: "webhook-disabled",
    because,
    host: new URL(url).host,
    webhookId: id,
  } as const;
  for (const { email: to } of await listUsersById(tx, [...new Set([creator, ...owners])]))
    await outbox.postLetter(tx, now(), { to, language, letter });
}
