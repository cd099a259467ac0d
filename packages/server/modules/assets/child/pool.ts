import { availableParallelism } from "node:os";
import { Fault } from "../../../platform/errors.ts";
import {
  type Client,
  openFairQueue,
  toAbandoned,
  toClosed,
} from "../../../platform/queues/fair-queue.ts";
import { type Child, startChild } from "./process.ts";
import type { ResultOf, Task, ChildResponse } from "../formats/tasks.ts";

const CHILDREN_MAX = 4;
/** One process is reserved for owners. */
const CHILDREN_MIN = 2;
/** Timeout of a task. Encoding the largest picture takes some seconds. */
const TIMEOUT_MS = 30_000;
const WAITERS_MAX = 128;
const WAIT_MS_MAX = 60_000;
/** How long an abandoned task may keep running, so that a repeated request finds its result. */
const GRACE_MS = 5_000;
/** A library's memory leaks are freed with the process. */
const TASKS_PER_CHILD = 200;
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;

/** Inspects and renders pictures in separate processes. */
export interface Pictures {
  /**
   * Runs a task as soon as a process is free, in the order of a fair queue; one process is reserved for owners. When the
   * client's signal aborts, a waiting task is removed immediately and a running one five seconds later.
   * @throws Fault impossible or unsupported-type when the file is rejected or times out; busy when the queue is full
   */
  run<T extends Task>(task: T, client: Client): Promise<ResultOf<T>>;
  [Symbol.dispose](): void;
}

interface Job {
  task: Task;
  done: PromiseWithResolvers<unknown>;
  /** The time limit, or the end of the grace period. */
  timer: NodeJS.Timeout;
  stopListening: () => void;
}

interface Worker {
  child: Child;
  job: Job | undefined;
  tasks: number;
  idle: NodeJS.Timeout | undefined;
}

/** Limits, and the child's script; set by tests. */
export interface PicturesOptions {
  /** The processes of the service on this machine, which share its cores and memory. */
  processes?: number;
  childrenMax?: number;
  /** Timeout of a task, including the start of its process. */
  timeoutMs?: Record<Task["kind"], number>;
  waitersMax?: number;
  waitMsMax?: number;
  graceMs?: number;
  child?: URL;
}

/**
 * Opens the pool: as many processes as cores, two to four, started when they are needed. Each of several processes of the
 * service has its share, and two at least.
 */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const {
    processes = 1,
    childrenMax = toChildrenMax(processes),
    waitersMax = WAITERS_MAX,
    waitMsMax = WAIT_MS_MAX,
  } = options;
  const pool = {
    timeoutMs: { inspect: TIMEOUT_MS, render: TIMEOUT_MS },
    graceMs: GRACE_MS,
    child: toChildFile(),
    ...options,
    workers: new Set<Worker>(),
  };
  const queue = openFairQueue({
    capacity: childrenMax,
    visitorCapacity: Math.max(1, childrenMax - 1),
    waitersMax,
    waitMsMax,
    toFault: () =>
      new Fault("busy", "Too many pictures are waiting to be rendered. Retry in a few seconds.", {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });
  return {
    run: <T extends Task>(task: T, client: Client) =>
      queue.run(client, () => perform(pool, task, client.signal)) as Promise<ResultOf<T>>,
    [Symbol.dispose]() {
      queue[Symbol.dispose]();
      for (const worker of pool.workers) kill(pool, worker, toClosed());
    },
  };
}

function toChildrenMax(processes: number): number {
  const max = Math.min(CHILDREN_MAX, availableParallelism());
  return Math.max(CHILDREN_MIN, Math.ceil(max / processes));
}

type Pool = Required<Pick<PicturesOptions, "timeoutMs" | "graceMs" | "child">> & {
  workers: Set<Worker>;
};

/** Runs a task in a free process. The queue has a slot for each. */
function perform(pool: Pool, task: Task, signal: AbortSignal | undefined): Promise<unknown> {
  const worker = [...pool.workers].find(({ job }) => job === undefined) ?? start(pool);
  const abandon = (): void => {
    clearTimeout(job.timer);
    job.timer = setTimeout(() => kill(pool, worker, toAbandoned()), pool.graceMs);
  };
  const job: Job = {
    task,
    done: Promise.withResolvers(),
    timer: setTimeout(() => kill(pool, worker, toSlow(task)), pool.timeoutMs[task.kind]),
    stopListening: () => signal?.removeEventListener("abort", abandon),
  };
  clearTimeout(worker.idle);
  worker.job = job;
  worker.tasks += 1;
  signal?.addEventListener("abort", abandon, { once: true });
  worker.child.ask({ id: worker.tasks, task });
  return job.done.promise;
}

/** Kills a process, and rejects its task. */
function kill(pool: Pool, worker: Worker, fault: Fault): void {
  stop(pool, worker);
  settle(worker, ({ reject }) => reject(fault));
}

function start(pool: Pool): Worker {
  const child = startChild(pool.child, {
    onResponse: (response) => {
      if (worker.job && response.id === worker.tasks) finish(pool, worker, response);
    },
    onEnd: (why) => {
      pool.workers.delete(worker);
      const task = worker.job?.task;
      settle(worker, ({ reject }) => reject(toEnded(task, why)));
    },
  });
  const worker: Worker = { child, job: undefined, tasks: 0, idle: undefined };
  pool.workers.add(worker);
  return worker;
}

function finish(pool: Pool, worker: Worker, response: ChildResponse): void {
  if (worker.tasks >= TASKS_PER_CHILD) stop(pool, worker);
  else worker.idle = setTimeout(() => stop(pool, worker), IDLE_MS).unref();
  settle(worker, ({ resolve, reject }) => {
    if ("done" in response) resolve(response.done);
    else if ("refused" in response) reject(new Fault(response.refused, response.detail));
    else reject(new Error(`rendering failed: ${response.error}`));
  });
}

function settle(worker: Worker, settleOne: (done: Job["done"]) => void): void {
  const { job } = worker;
  if (!job) return;
  worker.job = undefined;
  clearTimeout(job.timer);
  job.stopListening();
  settleOne(job.done);
}

function stop(pool: Pool, worker: Worker): void {
  clearTimeout(worker.idle);
  pool.workers.delete(worker);
  worker.child.kill();
}

function toSlow({ kind }: Task): Fault {
  return new Fault(
    "impossible",
    kind === "inspect"
      ? "The picture takes too long to read. Save it again in a simpler form."
      : "The picture takes too long to render. Request a smaller size or another format.",
  );
}

/** A file that crashes its process would crash the next one too, so it is rejected. */
function toEnded(task: Task | undefined, why: string): Error {
  return task?.kind === "inspect"
    ? new Fault("impossible", "The picture cannot be read.", { cause: new Error(why) })
    : new Error(`picture process ended: ${why}`);
}

function toChildFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url);
}
