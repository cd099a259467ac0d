import type { FastifyBaseLogger } from "fastify";
import type { Jobs } from "../../kernel/jobs.ts";
import type { Db } from "../../platform/db/db.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import {
  type Publication,
  touchPublication,
  updateStalePublications,
} from "./publications-store.ts";

/** The queue of publications of templates; its data is a `PublicationJob`. */
export const TEMPLATE_QUEUE = "template-publications";
const RESUMED_MAX = 1_000;

/** A part of a publication's work. */
export interface PublicationJob {
  publicationId: string;
  /** When the job was sent, as `updated_at` of the publication has it until the next one is. */
  sentAt: string;
}

interface QueueApp {
  db: Db;
  jobs: Pick<Jobs, "sendJob">;
  now: () => Date;
}

export function toJob({ id, updated_at }: Pick<Publication, "id" | "updated_at">) {
  const data: PublicationJob = { publicationId: id, sentAt: updated_at.toISOString() };
  return { queue: TEMPLATE_QUEUE, data };
}

/** Sends the next job of a publication, unless another job was sent after this one. */
export async function sendNext(
  app: QueueApp,
  { publicationId: id, sentAt }: PublicationJob,
): Promise<void> {
  const now = app.now();
  await inTransaction(app.db, async (tx) => {
    if (await touchPublication(tx, { id, from: new Date(sentAt), now }))
      await app.jobs.sendJob(tx, toJob({ id, updated_at: now }));
  });
}

/** Sends publications without an update since `before` to the queue again. */
export async function resumePublications(
  app: QueueApp & { log: Pick<FastifyBaseLogger, "warn"> },
  before: Date,
): Promise<void> {
  const stale = await inTransaction(app.db, async (tx) => {
    const rows = await updateStalePublications(tx, { before, now: app.now(), max: RESUMED_MAX });
    for (const row of rows) await app.jobs.sendJob(tx, toJob(row));
    return rows;
  });
  if (stale.length === 0) return;
  app.log.warn({ publications: stale.map(({ id }) => id) }, "template publications resumed");
}
