import { availableParallelism } from "node:os";
import { Fault } from "../../../platform/errors.ts";
import { type Child, startChild } from "./process.ts";
import type { ResultOf, Task, Told } from "./tasks.ts";

const CHILDREN_MAX = 4;
/** An encoding of the largest picture takes some seconds. */
const TIMEOUT_MS = 30_000;
const WAITING_MAX = 128;
const WAIT_MS = 60_000;
/** What a library loses of memory, it gives back so. */
const TASKS_PER_CHILD = 200;
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
const CLOSING = "The service is shutting down.";

/** Who waits for a task: somebody who uploads or publishes, or anybody. */
export type Asker = "owner" | "visitor";

/** Reads and makes pictures in processes of their own. */
export interface Pictures {
  /**
   * Does a task as soon as a process is free: what owners wait for first, since everybody may ask for
   * renders, and as many as they like.
   * @throws Fault impossible or unsupported-type where the file is not taken, or takes too long; busy
   *   where too much waits already
   */
  run<T extends Task>(task: T, asker: Asker): Promise<ResultOf<T>>;
  [Symbol.dispose](): void;
}

interface Job {
  task: Task;
  asker: Asker;
  done: PromiseWithResolvers<unknown>;
  /** While it waits that of waiting, then that of being done. */
  timer: NodeJS.Timeout;
}

interface Worker {
  child: Child;
  job: Job | undefined;
  tasks: number;
  idle: NodeJS.Timeout | undefined;
}

/** Bounds, and what a child runs; tests have their own. */
export interface PicturesOptions {
  childrenMax?: number;
  timeoutMs?: number;
  waitingMax?: number;
  waitMs?: number;
  child?: URL;
}

/** Opens the pool: as many processes as cores at most, started when they are needed. */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const pool = {
    childrenMax: Math.min(CHILDREN_MAX, availableParallelism()),
    timeoutMs: TIMEOUT_MS,
    waitingMax: WAITING_MAX,
    waitMs: WAIT_MS,
    child: toChildFile(),
    ...options,
    isClosed: false,
    waiting: new Set<Job>(),
    workers: new Set<Worker>(),
  };
  return {
    run: <T extends Task>(task: T, asker: Asker) => {
      if (pool.isClosed) return Promise.reject(toBusy(CLOSING));
      // Visitors leave room for owners.
      const share = asker === "owner" ? 1 : 0.5;
      if (pool.waiting.size >= pool.waitingMax * share)
        return Promise.reject(toBusy("Too many pictures wait to be made."));
      const done = Promise.withResolvers<unknown>();
      const timer = setTimeout(() => {
        pool.waiting.delete(job);
        done.reject(toBusy("Too many pictures are being made."));
      }, pool.waitMs);
      const job: Job = { task, asker, done, timer };
      pool.waiting.add(job);
      goOn(pool);
      return done.promise as Promise<ResultOf<T>>;
    },
    [Symbol.dispose]() {
      pool.isClosed = true;
      const jobs = [...pool.waiting, ...[...pool.workers].flatMap(({ job }) => job ?? [])];
      for (const worker of pool.workers) stop(pool, worker);
      pool.waiting.clear();
      for (const { timer, done } of jobs) {
        clearTimeout(timer);
        done.reject(toBusy(CLOSING));
      }
    },
  };
}

type Pool = Required<PicturesOptions> & {
  isClosed: boolean;
  waiting: Set<Job>;
  workers: Set<Worker>;
};

/** Gives what has waited longest to who is free; what owners wait for first. */
function goOn(pool: Pool): void {
  const waiting = [...pool.waiting];
  const ordered = [
    ...waiting.filter(({ asker }) => asker === "owner"),
    ...waiting.filter(({ asker }) => asker === "visitor"),
  ];
  for (const job of ordered) {
    const free = [...pool.workers].find((worker) => worker.job === undefined);
    const worker = free ?? (pool.workers.size < pool.childrenMax ? start(pool) : undefined);
    if (!worker) return;
    pool.waiting.delete(job);
    clearTimeout(job.timer);
    clearTimeout(worker.idle);
    worker.job = job;
    worker.tasks += 1;
    job.timer = setTimeout(() => {
      stop(pool, worker);
      settle(pool, worker, ({ reject }) => reject(toSlow(job.task)));
    }, pool.timeoutMs);
    worker.child.ask({ id: worker.tasks, task: job.task });
  }
}

function start(pool: Pool): Worker {
  const child = startChild(pool.child, {
    told: (told) => {
      if (worker.job && told.id === worker.tasks) hear(pool, worker, told);
    },
    ended: (why) => {
      pool.workers.delete(worker);
      settle(pool, worker, ({ reject }) => reject(toEnded(worker.job?.task, why)));
    },
  });
  const worker: Worker = { child, job: undefined, tasks: 0, idle: undefined };
  pool.workers.add(worker);
  return worker;
}

function hear(pool: Pool, worker: Worker, told: Told): void {
  if (worker.tasks >= TASKS_PER_CHILD) stop(pool, worker);
  else worker.idle = setTimeout(() => stop(pool, worker), IDLE_MS).unref();
  settle(pool, worker, ({ resolve, reject }) => {
    if ("done" in told) resolve(told.done);
    else if ("refused" in told) reject(new Fault(told.refused, told.detail));
    else reject(new Error(`A picture was not made: ${told.error}`));
  });
}

function settle(pool: Pool, worker: Worker, settleOne: (done: Job["done"]) => void): void {
  const { job } = worker;
  if (job) {
    clearTimeout(job.timer);
    settleOne(job.done);
  }
  worker.job = undefined;
  goOn(pool);
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
      ? "The picture takes too long to read. Save it anew, in a simpler form."
      : "This takes too long to make. Ask for a smaller picture, or for another format.",
  );
}

/** A file that ends the process that reads it would end the next one, too. */
function toEnded(task: Task | undefined, why: string): Error {
  return task?.kind === "inspect"
    ? new Fault("impossible", "The picture cannot be read.", { cause: new Error(why) })
    : new Error(`The process of pictures ended: ${why}`);
}

function toBusy(detail: string): Fault {
  return new Fault("busy", detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function toChildFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url);
}
