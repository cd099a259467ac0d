import { toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { tryEachBucket } from "../../../platform/db/buckets/buckets.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { listRequestsDueBefore } from "../../consents/erase/requests.ts";
import { notifier } from "./limits.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { hasEventSince } from "./store.ts";

const DAY_MS = 86_400_000;
/** Owners are reminded this long before an answer is due. */
const REMINDED_MS = 7 * DAY_MS;
/** A request is at most this old when it is due, with its month. */
const KNOWN_MS = 62 * DAY_MS;
const PAGE = 200;

/** Records that open requests for erasure are due within a week, each once. */
export async function recordDue(
  app: Pick<NotificationsApp, "db" | "buckets" | "now" | "log">,
): Promise<void> {
  const now = app.now();
  const before = new Date(now.getTime() + REMINDED_MS);
  await tryEachBucket(app, async (data) => {
    for (let after = ""; ;) {
      const requests = await listRequestsDueBefore(data, { before, after, limit: PAGE });
      for (const { id, projectId, dueAt } of requests.filter((one) => one.dueAt < before))
        await inTransaction(app.db, async (tx) => {
          const since = new Date(now.getTime() - KNOWN_MS);
          if (await hasEventSince(tx, { name: "erasure.due", documentId: id, since })) return;
          const days = Math.max(0, Math.ceil((dueAt.getTime() - now.getTime()) / DAY_MS));
          const ctx = toCtx({ tx, actor: notifier, now, requestId: undefined });
          await recordEvent(ctx, {
            name: "erasure.due",
            projectId,
            documentId: id,
            data: { days },
          });
        });
      const last = requests.at(-1);
      if (requests.length < PAGE || !last) return;
      after = last.id;
    }
  });
}
