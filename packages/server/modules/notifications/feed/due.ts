import { toCtx } from "../../../kernel/ctx.ts";
import { recordEvent } from "../../../kernel/events/events.ts";
import { tryEachBucket } from "../../../platform/db/buckets/buckets.ts";
import type { Db } from "../../../platform/db/db.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { type ErasureRequest, listRequestsDueBefore } from "../../consents/erase/requests.ts";
import { notifier } from "./limits.ts";
import type { NotificationsApp } from "../choices/ports.ts";
import { listAnnounced } from "./store.ts";

const DAY_MS = 86_400_000;
/** Owners are reminded this long before an answer is due. */
const REMINDED_MS = 7 * DAY_MS;
const DUE_EVENT = "erasure.due";
const PAGE = 200;

/** Records that open requests for erasure are due within a week, each once. */
export async function recordDue(
  app: Pick<NotificationsApp, "db" | "buckets" | "now" | "log">,
): Promise<void> {
  const before = new Date(app.now().getTime() + REMINDED_MS);
  await tryEachBucket(app, async (data) => {
    for (let after = ""; ;) {
      const requests = await listRequestsDueBefore(data, { before, after, limit: PAGE });
      const due = requests.filter(({ dueAt }) => dueAt < before);
      for (const request of await keepUnannounced(app.db, due)) await recordOne(app, request);
      const last = requests.at(-1);
      if (requests.length < PAGE || !last) return;
      after = last.id;
    }
  });
}

async function keepUnannounced(
  db: Db,
  requests: readonly ErasureRequest[],
): Promise<ErasureRequest[]> {
  if (requests.length === 0) return [];
  // A request is announced after it was made.
  const since = new Date(Math.min(...requests.map(({ requestedAt }) => requestedAt.getTime())));
  const documentIds = requests.map(({ id }) => id);
  const announced = await listAnnounced(db, { name: DUE_EVENT, documentIds, since });
  return requests.filter(({ id }) => !announced.has(id));
}

async function recordOne(
  app: Pick<NotificationsApp, "db" | "now">,
  { id, projectId, dueAt }: ErasureRequest,
): Promise<void> {
  const now = app.now();
  const days = Math.max(0, Math.ceil((dueAt.getTime() - now.getTime()) / DAY_MS));
  await inTransaction(app.db, (tx) =>
    recordEvent(toCtx({ tx, actor: notifier, now, requestId: undefined }), {
      name: DUE_EVENT,
      projectId,
      documentId: id,
      data: { days },
    }),
  );
}
