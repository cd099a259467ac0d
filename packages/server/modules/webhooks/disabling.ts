import { toCtx } from "../../kernel/ctx.ts";
import type { Tx } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { recordEvent } from "../../kernel/events.ts";
import { mailLanguages } from "../../platform/mail/languages.ts";
import { listUsersById } from "../../kernel/users-store.ts";
import type { WebhooksApp } from "./app.ts";
import { type WebhookRow, lockWebhook, updateWebhook } from "./store.ts";

const deliverer = { kind: "system", name: "webhooks" } as const;
const OWNERS_MAX = 20;
/** Who enables it again and again has nobody written to more often. */
const TOLD_AGAIN_MS = 86_400_000;

type Disabling = Pick<WebhooksApp, "db" | "now" | "log" | "sources" | "outbox">;

/**
 * Disables a webhook that is gone or has failed for too long, and writes to those whom it concerns, in one
 * transaction. What waits for it stays, for when it is enabled again.
 */
export async function disableWebhook(
  app: Disabling,
  id: string,
  because: "gone" | "failing",
): Promise<void> {
  const now = app.now();
  await inTransaction(app.db, async (tx) => {
    const row = await lockWebhook(tx, { kind: "system" }, id);
    if (!row?.enabled) return;
    const isTold = now.getTime() - (row.disabled_told_at?.getTime() ?? 0) < TOLD_AGAIN_MS;
    await updateWebhook(tx, id, {
      enabled: false,
      disabled_because: because,
      updated_at: now,
      version: row.version + 1,
      ...(isTold ? {} : { disabled_told_at: now }),
    });
    const ctx = toCtx({ tx, actor: deliverer, now, requestId: undefined });
    const projectId = row.project_id ?? undefined;
    const data = { because, owner: row.created_by };
    await recordEvent(ctx, { name: "webhook.disabled", projectId, documentId: id, data });
    if (!isTold) await tellOwners(tx, app, { row, because });
    app.log.warn({ webhookId: id, because, owner: row.created_by }, "a webhook was disabled");
  });
}

/** Writes to its maker, and to those who own what it is of. Of its address only the host: the rest may be a secret. */
async function tellOwners(
  tx: Tx,
  { now, sources, outbox }: Disabling,
  { row, because }: { row: WebhookRow; because: "gone" | "failing" },
): Promise<void> {
  const { id: webhookId, project_id: projectId, created_by: maker } = row;
  const owners = projectId === null ? [] : await sources.listOwnerIds(tx, projectId, OWNERS_MAX);
  const language = mailLanguages.find((one) => one === row.language) ?? mailLanguages[0];
  const { host } = new URL(row.url);
  for (const { email: to } of await listUsersById(tx, [...new Set([maker, ...owners])])) {
    const letter = { kind: "webhook-disabled", because, host, webhookId } as const;
    await outbox.postLetter(tx, now(), { to, language, letter });
  }
}
