import { availableParallelism } from "node:os";
import { Fault } from "../../../platform/errors.ts";
import { type Child, startChild } from "./process.ts";
import type { ResultOf, Task, Told } from "../formats/tasks.ts";
import { type Asker, type Turns, openTurns } from "./turns.ts";

const CHILDREN_MAX = 4;
/** One is kept for owners. */
const CHILDREN_MIN = 2;
/** An encoding of the largest picture takes some seconds. */
const TIMEOUT_MS = 30_000;
const WAITING_MAX = 128;
const WAIT_MS = 60_000;
/** What is being made and nobody waits for any more may end: who asks again has it at once. */
const GRACE_MS = 5_000;
/** What a library loses of memory, it gives back so. */
const TASKS_PER_CHILD = 200;
const IDLE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
const CLOSING = "The service is shutting down.";

/** Reads and makes pictures in processes of their own. */
export interface Pictures {
  /**
   * Does a task as soon as a process is free, in turn (see `Turns`); one process is never a visitor's.
   * What waits is given up when its asker's signal aborts, what is being done five seconds later.
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
  startedAt: number;
  stopListening: () => void;
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
  /** How long a task may take, the start of its process included. */
  timeoutMs?: Record<Task["kind"], number>;
  waitingMax?: number;
  waitMs?: number;
  graceMs?: number;
  child?: URL;
}

/** Opens the pool: as many processes as cores, two to four, started when they are needed. */
export function openPictures(options: PicturesOptions = {}): Pictures {
  const pool = {
    childrenMax: Math.min(CHILDREN_MAX, Math.max(CHILDREN_MIN, availableParallelism())),
    timeoutMs: { inspect: TIMEOUT_MS, render: TIMEOUT_MS },
    waitingMax: WAITING_MAX,
    waitMs: WAIT_MS,
    graceMs: GRACE_MS,
    child: toChildFile(),
    ...options,
    isClosed: false,
    turns: openTurns(),
    waiting: new Set<Job>(),
    workers: new Set<Worker>(),
  };
  return {
    run: <T extends Task>(task: T, asker: Asker) => {
      if (pool.isClosed) return Promise.reject(toBusy(CLOSING));
      if (asker.signal?.aborted) return Promise.reject(toUnwanted());
      // Visitors leave room for owners.
      const share = asker.kind === "owner" ? 1 : 0.5;
      if (pool.waiting.size >= pool.waitingMax * share)
        return Promise.reject(toBusy("Too many pictures wait to be made."));
      return enqueue(pool, task, asker) as Promise<ResultOf<T>>;
    },
    [Symbol.dispose]() {
      pool.isClosed = true;
      const jobs = [...pool.waiting, ...[...pool.workers].flatMap(({ job }) => job ?? [])];
      for (const worker of pool.workers) stop(pool, worker);
      pool.waiting.clear();
      for (const job of jobs) finish(job, ({ reject }) => reject(toBusy(CLOSING)));
    },
  };
}

type Pool = Required<PicturesOptions> & {
  isClosed: boolean;
  turns: Turns;
  waiting: Set<Job>;
  workers: Set<Worker>;
};

function enqueue(pool: Pool, task: Task, asker: Asker): Promise<unknown> {
  const done = Promise.withResolvers<unknown>();
  const leave = (fault: Fault): void => {
    pool.waiting.delete(job);
    finish(job, ({ reject }) => reject(fault));
  };
  const abandon = (): void => {
    const worker = [...pool.workers].find((one) => one.job === job);
    if (!worker) return leave(toUnwanted());
    clearTimeout(job.timer);
    job.timer = setTimeout(() => giveUp(pool, worker, toUnwanted()), pool.graceMs);
  };
  const job: Job = {
    task,
    asker,
    done,
    timer: setTimeout(() => leave(toBusy("Too many pictures are being made.")), pool.waitMs),
    startedAt: 0,
    stopListening: () => asker.signal?.removeEventListener("abort", abandon),
  };
  asker.signal?.addEventListener("abort", abandon, { once: true });
  pool.waiting.add(job);
  goOn(pool);
  return done.promise;
}

/** Gives what is first in turn to who is free, until nobody is, or nothing waits that may be done. */
function goOn(pool: Pool): void {
  for (;;) {
    const running = [...pool.workers].flatMap(({ job }) => job ?? []);
    if (running.length >= pool.childrenMax) return;
    const visited = running.filter(({ asker }) => asker.kind === "visitor").length;
    const isKept = visited >= Math.max(1, pool.childrenMax - 1);
    const waiting = [...pool.waiting].filter(({ asker }) => !isKept || asker.kind === "owner");
    const job = pool.turns.choose(waiting, running);
    if (!job) return;
    const free = [...pool.workers].find((worker) => worker.job === undefined);
    begin(pool, free ?? start(pool), job);
  }
}

function begin(pool: Pool, worker: Worker, job: Job): void {
  pool.waiting.delete(job);
  clearTimeout(job.timer);
  clearTimeout(worker.idle);
  worker.job = job;
  worker.tasks += 1;
  job.startedAt = performance.now();
  job.timer = setTimeout(
    () => giveUp(pool, worker, toSlow(job.task)),
    pool.timeoutMs[job.task.kind],
  );
  worker.child.ask({ id: worker.tasks, task: job.task });
}

/** Gives up what a process is at, and the process. */
function giveUp(pool: Pool, worker: Worker, fault: Fault): void {
  stop(pool, worker);
  settle(pool, worker, ({ reject }) => reject(fault));
}

function finish(job: Job, settleOne: (done: Job["done"]) => void): void {
  clearTimeout(job.timer);
  job.stopListening();
  settleOne(job.done);
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
    pool.turns.note(job);
    finish(job, settleOne);
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

/** For who does not wait any more: nobody reads it, and it is no trouble of the service. */
function toUnwanted(): Fault {
  return new Fault("busy", "Nobody waits for this any more.", { isTold: true });
}

function toBusy(detail: string): Fault {
  return new Fault("busy", detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function toChildFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url);
}
