import { setTimeout as delay } from "node:timers/promises";
import type { Step } from "../publications/steps.ts";
import type { JobRow } from "../publications/store.ts";

const POLL_MS = 200;
const HEARTBEAT_MS = 10_000;
const STREAM_MS_MAX = 5 * 60_000;

/** The id of the last event: a browser that connects again with it is told that there is no more. */
export const LAST_EVENT_ID = "end";

interface StreamOptions {
  /** The job as it is now; undefined when it is gone. */
  read: () => Promise<JobRow | undefined>;
  /** The job as it is answered. */
  toAnswer: (job: JobRow) => object;
  signal: AbortSignal;
}

/**
 * Server-sent events of a job (wire section 3): `event: step` with each step as it changes, and in
 * the end `event: job` with the whole job. Ends by itself after five minutes; the reader connects
 * again.
 */
export async function* streamJob({
  read,
  toAnswer,
  signal,
}: StreamOptions): AsyncGenerator<string> {
  const startedAt = performance.now();
  let spokenAt = startedAt;
  let shown: readonly Step[] = [];
  yield "retry: 500\n\n";
  while (!signal.aborted && performance.now() - startedAt < STREAM_MS_MAX) {
    const job = await read();
    if (!job) return;
    for (const step of listChanged(shown, job.steps)) {
      spokenAt = performance.now();
      yield toEvent("step", step);
    }
    shown = job.steps;
    if (job.status === "Done" || job.status === "Error") {
      yield `id: ${LAST_EVENT_ID}\n${toEvent("job", toAnswer(job))}`;
      return;
    }
    if (performance.now() - spokenAt > HEARTBEAT_MS) {
      spokenAt = performance.now();
      yield ": waiting\n\n";
    }
    await wait(signal);
  }
}

function listChanged(before: readonly Step[], after: readonly Step[]): Step[] {
  return after.filter((step, index) => {
    const known = before[index];
    if (!known) return step.status !== "Pending";
    return known.status !== step.status || known.message !== step.message;
  });
}

function toEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** An abort ends the wait early; the loop then sees it. */
async function wait(signal: AbortSignal): Promise<void> {
  try {
    await delay(POLL_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
