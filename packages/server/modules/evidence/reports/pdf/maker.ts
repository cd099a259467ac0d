import { Worker } from "node:worker_threads";
import type { Actor } from "../../../../kernel/actor.ts";
import { Fault } from "../../../../platform/errors.ts";
import { openFairQueue, toClosed } from "../../../../platform/queues/fair-queue.ts";
import type { ProofBundleOut } from "../../log/schema.ts";
import type { PdfOptions } from "./proof.ts";

/** What the thread is asked for, and what it answers. */
export interface PdfTask {
  id: number;
  bundle: ProofBundleOut;
  options: PdfOptions;
}
export type PdfDone = { id: number; pdf: Uint8Array } | { id: number; error: string };

/** The key that a PDF counts for, and how many of it may be made or wait at once. */
export interface PdfShare {
  key: string;
  keyMax: number;
}

/** Makes PDFs off the thread that answers requests. */
export interface PdfMaker {
  /**
   * As `toPdf`, one at a time, in the order of a fair queue.
   * @throws Fault too-many beyond the share; busy while the queue is full, and for one that takes or waited too long
   */
  make(bundle: ProofBundleOut, options: PdfOptions, share: PdfShare): Promise<Buffer>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A PDF takes tenths of a second, so the last waiter waits for some seconds. */
const WAITERS_MAX = 32;
const WAIT_MS_MAX = 30_000;
const TIMEOUT_MS = 30_000;
/** Then the thread ends, and gives back the memory of its fonts. */
const IDLE_MS = 60_000;
const MEMORY_MB_MAX = 512;
const USER_MAX = 1;
/** Of all visitors of a project: anybody is a visitor, under any token. */
const VISITORS_MAX = 2;
const RETRY_AFTER_SECONDS = 2;

interface Job {
  id: number;
  done: PromiseWithResolvers<Buffer>;
}

/** The share of an actor that requests a PDF of one of the project's consents. */
export function toPdfShare(actor: Actor, projectId: string): PdfShare {
  return actor.kind === "user"
    ? { key: `user ${actor.userId}`, keyMax: USER_MAX }
    : { key: `visitors of ${projectId}`, keyMax: VISITORS_MAX };
}

/** Limits, and what the thread runs; tests have their own. */
interface MakerOptions {
  waitersMax?: number;
  waitMsMax?: number;
  timeoutMs?: number;
  thread?: URL;
}

/** Opens the maker; its thread begins with the first PDF. */
export function openPdfMaker({
  waitersMax = WAITERS_MAX,
  waitMsMax = WAIT_MS_MAX,
  timeoutMs = TIMEOUT_MS,
  thread: file = toThreadFile(),
}: MakerOptions = {}): PdfMaker {
  const queue = openFairQueue({ capacity: 1, waitersMax, waitMsMax, toFault });
  let current: Job | undefined;
  let count = 0;
  const thread = openThread(file, {
    onAnswer(answer) {
      if (answer.id !== current?.id) return;
      if ("pdf" in answer) current.done.resolve(Buffer.from(answer.pdf));
      else current.done.reject(new Error(answer.error));
    },
    onError(cause) {
      current?.done.reject(new Error("The thread of PDFs ended.", { cause }));
    },
  });
  const make = async (bundle: ProofBundleOut, options: PdfOptions): Promise<Buffer> => {
    const job: Job = { id: (count += 1), done: Promise.withResolvers() };
    current = job;
    const timer = setTimeout(() => {
      void thread.stop();
      job.done.reject(toBusy("The PDF took too long. The bundle as JSON says the same."));
    }, timeoutMs);
    thread.post({ id: job.id, bundle, options });
    return job.done.promise.finally(() => clearTimeout(timer));
  };
  return {
    make: (bundle, options, { key, keyMax }) =>
      queue.run({ keys: [key], keyMax }, () => make(bundle, options)),
    async [Symbol.asyncDispose]() {
      queue[Symbol.dispose]();
      current?.done.reject(toClosed());
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

function toFault(kind: "too-many" | "busy"): Fault {
  if (kind === "busy") return toBusy("Too many PDFs are waiting to be made. Retry in 2 seconds.");
  const detail = "Too many of your PDFs are being made. Wait for them, then retry.";
  return new Fault(kind, detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function toBusy(detail: string): Fault {
  return new Fault("busy", detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
