import { toCtx } from "../../platform/ctx.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { recordEvent } from "../../platform/events.ts";
import type { WebhooksApp } from "./app.ts";
import { lockWebhook, updateWebhook } from "./store.ts";

const deliverer = { kind: "system", name: "webhooks" } as const;

/**
 * Disables a webhook that is gone or has failed for too long, and tells whose it is. What waits for it
 * stays, for when it is enabled again.
 */
export async function disableWebhook(
  app: Pick<WebhooksApp, "db" | "now" | "log">,
  id: string,
  because: "gone" | "failing",
): Promise<void> {
  const now = app.now();
  await inTransaction(app.db, async (tx) => {
    const row = await lockWebhook(tx, { kind: "system" }, id);
    if (!row?.enabled) return;
    const changes = { enabled: false, disabled_because: because, updated_at: now };
    await updateWebhook(tx, id, { ...changes, version: row.version + 1 });
    const ctx = toCtx({ tx, actor: deliverer, now, requestId: undefined });
    const projectId = row.project_id ?? undefined;
    const data = { because, owner: row.created_by };
    // The mail to the owner is sent from this event, in its transaction, as soon as there is mail.
    await recordEvent(ctx, { name: "webhook.disabled", projectId, documentId: id, data });
    app.log.warn({ webhookId: id, because, owner: row.created_by }, "a webhook was disabled");
  });
}
