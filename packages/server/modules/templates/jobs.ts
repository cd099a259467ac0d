import type { TemplatesApp } from "./ports.ts";
import { type PublicationJob, TEMPLATE_QUEUE, resumePublications } from "./queue.ts";
import { runPublication } from "./run.ts";

/** A publication without an update for this long is sent to the queue again. */
const STALE_MS = 5 * 60_000;

/** Works the queue, and resumes the publications of an earlier process. */
export async function startTemplateJobs(app: TemplatesApp): Promise<void> {
  await app.jobs.workQueue<PublicationJob>(
    { name: TEMPLATE_QUEUE, concurrency: 1, retriesMax: 5, timeoutSeconds: 120 },
    (job) => runPublication(app, job),
  );
  await resumePublications(app, app.now());
  await app.jobs.scheduleJob("template-publications-resume", "* * * * *", () =>
    resumePublications(app, new Date(app.now().getTime() - STALE_MS)),
  );
}
