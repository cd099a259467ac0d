import { getPublishJob, listPublishJobs, type PublishJob, type PublishStep } from "@avow/client/operations";
import { send, toAddress } from "../../api/send.ts";

const POLL_MS = 500;

export function isEnded({ status }: Pick<PublishJob, "status">): boolean {
  return status === "Done" || status === "Error";
}

/** Maximum number of pending jobs: a scheduled and a starting one in each of two environments. */
const WAITING_MAX = 4;

/** The scheduled publications of a project, soonest first. @throws Problem */
export async function readWaiting(projectId: string): Promise<readonly PublishJob[]> {
  const query = { projectId, status: "Pending", perPage: WAITING_MAX } as const;
  return (await send(listPublishJobs, { query }))
    .filter(({ publishAt, startedAt }) => publishAt !== undefined && startedAt === undefined)
    .toSorted((a, b) => ((a.publishAt ?? "") < (b.publishAt ?? "") ? -1 : 1));
}

/**
 * Reports each change of a job until it ends, from the event stream, or by polling if the stream fails. Returns a
 * function that stops it.
 */
export function watchJob(job: PublishJob, onChange: (job: PublishJob) => void): () => void {
  let present = job;
  let isStopped = false;
  const report = (next: PublishJob): void => {
    present = next;
    if (!isStopped) onChange(next);
  };
  const source = new EventSource(toAddress(getPublishJob, { path: { id: job.id } }));
  source.addEventListener("step", ({ data }: MessageEvent<string>) =>
    report(withStep(present, JSON.parse(data) as PublishStep)),
  );
  source.addEventListener("job", ({ data }: MessageEvent<string>) => {
    source.close();
    report(JSON.parse(data) as PublishJob);
  });
  source.addEventListener("error", () => {
    // The browser reconnects by itself, unless the service rejected the stream.
    if (source.readyState === EventSource.CLOSED) void poll();
  });
  const poll = async (): Promise<void> => {
    while (!isStopped && !isEnded(present)) {
      report(await send(getPublishJob, { path: { id: job.id } }));
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  };
  return () => {
    isStopped = true;
    source.close();
  };
}

function withStep(job: PublishJob, step: PublishStep): PublishJob {
  return { ...job, steps: job.steps.map((one) => (one.name === step.name ? step : one)) };
}
