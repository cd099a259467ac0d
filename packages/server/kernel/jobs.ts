import type { FastifyBaseLogger } from "fastify";
import { PgBoss, type Queue, fromKysely } from "pg-boss";
import type { Pooling } from "../platform/db/connections/session.ts";
import type { Tx } from "../platform/db/db.ts";
import { type Tracing, trace } from "../platform/telemetry/tracing.ts";

/** Background work: jobs are inserted in the transaction of the write that asks for them. */
export interface Jobs {
  /** Inserts a job in the caller's transaction: it exists if and only if that commits. */
  sendJob(tx: Tx, job: SentJob): Promise<void>;
  /** Processes a queue, `concurrency` jobs at a time on this node. A job whose handler throws is retried with backoff. */
  workQueue<T>(
    queue: WorkedQueue,
    handle: (data: T, attempt: JobAttempt) => Promise<void>,
  ): Promise<void>;
  /** Runs `handle` on one node at each time of a cron expression (UTC). */
  scheduleJob(name: string, cron: string, handle: () => Promise<void>): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface SentJob {
  queue: string;
  data: object;
  /** No worker starts the job before. */
  startAfter?: Date;
}

interface WorkedQueue {
  name: string;
  concurrency: number;
  /** Maximum retries after the first attempt. */
  retriesMax: number;
  /** Lease of a job: after it, another worker takes it. */
  timeoutSeconds: number;
}

export interface JobAttempt {
  isLast: boolean;
}

interface JobsOptions {
  databaseUrl: string;
  /** Default: session. In transaction mode jobs are polled, without LISTEN. */
  pooling?: Pooling;
  log: FastifyBaseLogger;
  stopTimeoutMs: number;
  tracing?: Tracing | undefined;
  /** Whether this process runs jobs (default), or only sends them. */
  runsJobs?: boolean;
}

/** Lease of a running job, which its worker renews; pg-boss allows no shorter one. */
const HEARTBEAT_SECONDS = 10;
/** Interval of the search for expired leases; pg-boss's default is a minute. */
const SUPERVISE_SECONDS = 5;

/** Creates the tables of pg-boss in a database, so that a backup's jobs can be restored. */
export async function createJobTables(databaseUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

/**
 * Starts pg-boss on the database. A job whose worker has died goes to another within about 20 seconds. A process that runs
 * no jobs ignores `workQueue` and `scheduleJob`, and needs one connection.
 */
export async function openJobs({
  databaseUrl,
  pooling = "session",
  log,
  stopTimeoutMs,
  tracing,
  runsJobs = true,
}: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    application_name: "avow jobs",
    max: runsJobs ? 4 : 1,
    useListenNotify: runsJobs && pooling === "session",
    supervise: runsJobs,
    schedule: runsJobs,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  boss.on("error", (error) => log.error({ err: error }, "job queue error"));
  await boss.start();

  const createQueue = async (name: string, options: Omit<Queue, "name">): Promise<void> => {
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
  };

  /** A job continues the trace of the write that inserted it. */
  const traceJob = (queue: string, data: unknown, work: () => Promise<void>): Promise<void> => {
    const { traceparent } = (data ?? {}) as { traceparent?: string };
    const causes = traceparent === undefined ? {} : { causes: [traceparent] };
    return trace(tracing, `job ${queue}`, { kind: "consumer", ...causes }, work);
  };

  return {
    async sendJob(tx, { queue, data, startAfter }) {
      const options = startAfter === undefined ? {} : { startAfter };
      const traceparent = tracing?.findActiveSpan()?.traceparent;
      await boss.send(
        queue,
        { ...data, ...(traceparent && { traceparent }) },
        { ...options, db: fromKysely(tx) },
      );
    },
    async workQueue<T>(
      queue: WorkedQueue,
      handle: (data: T, attempt: JobAttempt) => Promise<void>,
    ) {
      if (!runsJobs) return;
      await createQueue(queue.name, {
        retryLimit: queue.retriesMax,
        retryBackoff: true,
        retryDelay: 1,
        expireInSeconds: queue.timeoutSeconds,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        notify: true,
      });
      const options = {
        includeMetadata: true,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 5,
        localConcurrency: queue.concurrency,
      } as const;
      let workId: string | undefined;
      workId = await boss.work<T, void, typeof options>(queue.name, options, async ([job]) => {
        try {
          if (!job) return;
          const attempt = { isLast: job.retryCount >= job.retryLimit };
          await traceJob(queue.name, job.data, () => handle(job.data, attempt));
        } finally {
          // One notification can cover many jobs: fetch the next now, not at the next poll.
          if (workId !== undefined) boss.notifyWorker(workId);
        }
      });
    },
    async scheduleJob(name, cron, handle) {
      if (!runsJobs) return;
      await createQueue(name, { retryLimit: 2, expireInSeconds: 600 });
      await boss.work(name, { pollingIntervalSeconds: 30 }, () => traceJob(name, {}, handle));
      await boss.schedule(name, cron);
    },
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: true, timeout: stopTimeoutMs });
    },
  };
}
