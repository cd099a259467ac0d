import { Worker } from "node:worker_threads";
import type { Actor } from "../../../../kernel/actor.ts";
import { Fault } from "../../../../platform/errors.ts";
import type { ProofBundleOut } from "../../log/schema.ts";
import type { PdfOptions } from "./proof.ts";

/** What the thread is asked for, and what it answers. */
export interface PdfTask {
  id: number;
  bundle: ProofBundleOut;
  options: PdfOptions;
}
export type PdfDone = { id: number; pdf: Uint8Array } | { id: number; error: string };

/** Whose PDFs count together, and how many of them may be made or wait at once. */
export interface PdfShare {
  name: string;
  max: number;
}

/** Makes PDFs off the thread that answers requests. */
export interface PdfMaker {
  /**
   * As `toPdf`, one after the other.
   * @throws Fault too-many beyond the share; busy while as many as may wait are waiting, for one that
   *   takes too long, and for one that waited too long
   */
  make(bundle: ProofBundleOut, options: PdfOptions, share: PdfShare): Promise<Buffer>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A PDF takes tenths of a second: who is last waits for some seconds. */
const WAITING_MAX = 32;
const WAIT_MS = 30_000;
const TIMEOUT_MS = 30_000;
/** Then the thread ends, and gives back the memory of its fonts. */
const IDLE_MS = 60_000;
const MEMORY_MB_MAX = 512;
const USER_MAX = 1;
/** Of all visitors of a project: anybody is a visitor, under any token. */
const VISITORS_MAX = 2;

interface Job {
  task: PdfTask;
  share: string;
  done: PromiseWithResolvers<Buffer>;
  /** While it waits that of waiting, then that of being made. */
  timer: NodeJS.Timeout;
}

/** The share of who asks for a PDF of one of the project's consents. */
export function toPdfShare(actor: Actor, projectId: string): PdfShare {
  return actor.kind === "user"
    ? { name: `user ${actor.userId}`, max: USER_MAX }
    : { name: `visitors of ${projectId}`, max: VISITORS_MAX };
}

/** Bounds, and what the thread runs; tests have their own. */
interface MakerOptions {
  waitingMax?: number;
  waitMs?: number;
  timeoutMs?: number;
  thread?: URL;
}

/** Opens the maker; its thread begins with the first PDF. */
export function openPdfMaker({
  waitingMax = WAITING_MAX,
  waitMs = WAIT_MS,
  timeoutMs = TIMEOUT_MS,
  thread: file = toThreadFile(),
}: MakerOptions = {}): PdfMaker {
  const waiting = new Set<Job>();
  let current: Job | undefined;
  let count = 0;
  const settle = (job: Job, settleOne: (done: Job["done"]) => void): void => {
    clearTimeout(job.timer);
    waiting.delete(job);
    settleOne(job.done);
    if (current === job) goOn();
  };
  const thread = openThread(file, {
    onAnswer(answer) {
      if (answer.id !== current?.task.id) return;
      settle(current, (done) => {
        if ("pdf" in answer) done.resolve(Buffer.from(answer.pdf));
        else done.reject(new Error(answer.error));
      });
    },
    onError(cause) {
      if (current)
        settle(current, ({ reject }) => reject(new Error("The thread of PDFs ended.", { cause })));
    },
  });
  /** Takes up who has waited longest. */
  const goOn = (): void => {
    [current] = waiting;
    if (!current) return;
    const job = current;
    waiting.delete(job);
    clearTimeout(job.timer);
    job.timer = setTimeout(() => {
      void thread.stop();
      settle(job, rejectWith("A PDF took too long. The bundle as JSON says the same."));
    }, timeoutMs);
    thread.post(job.task);
  };
  return {
    async make(bundle, options, { name, max }) {
      const all = current ? [current, ...waiting] : [];
      if (all.filter((job) => job.share === name).length >= max)
        throw new Fault("too-many", `${max} of your PDFs are being made already.`, later);
      if (waiting.size >= waitingMax) throw toBusy(`${waitingMax} PDFs wait to be made already.`);
      const done = Promise.withResolvers<Buffer>();
      const timer = setTimeout(() => settle(job, rejectWith("Too many PDFs are made.")), waitMs);
      const job: Job = { task: { id: (count += 1), bundle, options }, share: name, done, timer };
      waiting.add(job);
      if (!current) goOn();
      return done.promise;
    },
    async [Symbol.asyncDispose]() {
      for (const job of [...waiting, ...(current ? [current] : [])])
        settle(job, rejectWith("The service is shutting down."));
      await thread.stop();
    },
  };
}

/** A thread that begins with a task, ends when it had none for a while, and begins again. */
function openThread(
  file: URL,
  on: { onAnswer: (answer: PdfDone) => void; onError: (error: unknown) => void },
) {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** Nothing is heard any more of what it was doing. */
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  const start = (): Worker => {
    const started = startWorker(file);
    started.on("message", (answer: PdfDone) => {
      if (worker !== started) return;
      idle = setTimeout(() => void stop(), IDLE_MS).unref();
      on.onAnswer(answer);
    });
    started.on("error", (error) => {
      if (worker !== started) return;
      worker = undefined;
      on.onError(error);
    });
    return started;
  };
  return {
    stop,
    post(task: PdfTask): void {
      clearTimeout(idle);
      worker ??= start();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(task);
    },
  };
}

/** It gets nothing of the environment, and does not keep the process from ending. */
function startWorker(file: URL): Worker {
  const worker = new Worker(file, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  worker.unref();
  return worker;
}

function toThreadFile(): URL {
  return new URL(import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js", import.meta.url);
}

const later = { retryAfterSeconds: 2 };

function toBusy(detail: string): Fault {
  return new Fault("busy", detail, later);
}

function rejectWith(detail: string): (done: Job["done"]) => void {
  return ({ reject }) => reject(toBusy(detail));
}
