import { setTimeout as delay } from "node:timers/promises";
import type { Step } from "../publications/steps.ts";
import type { JobRow } from "../publications/store.ts";

const POLL_MS = 200;
const HEARTBEAT_MS = 10_000;
const STREAM_MS_MAX = 5 * 60_000;

/** The id of the last event: a browser that reconnects with it gets 204, which stops it. */
export const LAST_EVENT_ID = "end";

interface StreamOptions {
  /** The current job; undefined when it no longer exists. */
  read: () => Promise<JobRow | undefined>;
  toAnswer: (job: JobRow) => object;
  signal: AbortSignal;
}

/**
 * Server-sent events of a job (wire section 3): `event: step` for each change of a step, and finally
 * `event: job` with the whole job. Ends after five minutes; the client then reconnects.
 */
export async function* streamJob({
  read,
  toAnswer,
  signal,
}: StreamOptions): AsyncGenerator<string> {
  const startedAt = performance.now();
  let sentAt = startedAt;
  let sent: readonly Step[] = [];
  yield "retry: 500\n\n";
  while (!signal.aborted && performance.now() - startedAt < STREAM_MS_MAX) {
    const job = await read();
    if (!job) return;
    for (const step of listChanged(sent, job.steps)) {
      sentAt = performance.now();
      yield toEvent("step", step);
    }
    sent = job.steps;
    if (job.status === "Done" || job.status === "Error") {
      yield `id: ${LAST_EVENT_ID}\n${toEvent("job", toAnswer(job))}`;
      return;
    }
    if (performance.now() - sentAt > HEARTBEAT_MS) {
      sentAt = performance.now();
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

/** An abort ends the wait early; the caller's loop then ends. */
async function wait(signal: AbortSignal): Promise<void> {
  try {
    await delay(POLL_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
