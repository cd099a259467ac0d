import { inTransaction } from "../../platform/db/transaction.ts";
import type { TemplatesApp } from "./ports.ts";
import { listStalePublications } from "./publications-store.ts";
import { TEMPLATE_QUEUE } from "./publications.ts";
import { runPublication } from "./run.ts";

/** A publication without an update for this long is sent to the queue again. */
const STALE_MS = 5 * 60_000;

/** Works the queue, and resumes the publications of an earlier process. */
export async function startTemplateJobs(app: TemplatesApp): Promise<void> {
  await app.jobs.workQueue<{ publicationId: string }>(
    { name: TEMPLATE_QUEUE, concurrency: 1, retriesMax: 5, timeoutSeconds: 120 },
    ({ publicationId }) => runPublication(app, publicationId),
  );
  await resumePublications(app, app.now());
  await app.jobs.scheduleJob("template-publications-resume", "* * * * *", () =>
    resumePublications(app, new Date(app.now().getTime() - STALE_MS)),
  );
}

async function resumePublications(app: TemplatesApp, before: Date): Promise<void> {
  const ids = await listStalePublications(app.db, before);
  await inTransaction(app.db, async (tx) => {
    for (const publicationId of ids)
      await app.jobs.sendJob(tx, {
        queue: TEMPLATE_QUEUE,
        data: { publicationId },
        key: publicationId,
      });
  });
  if (ids.length > 0) app.log.warn({ publications: ids }, "template publications resumed");
}
