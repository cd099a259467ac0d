import { Worker } from "node:worker_threads";
import type { Actor } from "../../../../kernel/actor.ts";
import { Fault } from "../../../../platform/errors.ts";
import { openFairQueue, toClosed } from "../../../../platform/queues/fair-queue.ts";
import type { ProofBundleOut } from "../../log/schema.ts";
import type { PdfOptions } from "./proof.ts";

/** A message to the thread. */
export interface PdfTask {
  id: number;
  bundle: ProofBundleOut;
  options: PdfOptions;
}
/** A message from the thread. */
export type PdfResult = { id: number; pdf: Uint8Array } | { id: number; error: string };

/** The key that a PDF counts for, and the maximum of PDFs in progress or waiting per key. */
export interface PdfShare {
  key: string;
  keyMax: number;
}

/** Generates PDFs on a thread of its own. */
export interface PdfMaker {
  /**
   * Runs `toPdf`, one at a time, in the order of a fair queue.
   * @throws Fault too-many beyond the share; busy if the queue is full, or the PDF waits or takes too long
   */
  make(bundle: ProofBundleOut, options: PdfOptions, share: PdfShare): Promise<Buffer>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Maximum queue length: a PDF takes tenths of a second, so the last waiter waits for some seconds. */
const WAITERS_MAX = 32;
const WAIT_MS_MAX = 30_000;
const TIMEOUT_MS = 30_000;
/** Idle time before the thread is stopped, which frees the memory of its fonts. */
const IDLE_MS = 60_000;
const MEMORY_MB_MAX = 512;
const USER_MAX = 1;
/** Limit of all visitors of a project together: anyone can be a visitor, with any token. */
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

/** Overridden by tests. */
interface MakerOptions {
  waitersMax?: number;
  waitMsMax?: number;
  timeoutMs?: number;
  thread?: URL;
}

/** Opens the maker; its thread starts with the first PDF. */
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
      current?.done.reject(new Error("The PDF thread failed.", { cause }));
    },
  });
  const make = async (bundle: ProofBundleOut, options: PdfOptions): Promise<Buffer> => {
    const job: Job = { id: (count += 1), done: Promise.withResolvers() };
    current = job;
    const timer = setTimeout(() => {
      void thread.stop();
      job.done.reject(
        toBusy("The PDF took too long. Request the proof as JSON, which has the same content."),
      );
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

/** A thread that starts with a task, and stops when it is idle. */
function openThread(
  file: URL,
  on: { onAnswer: (answer: PdfResult) => void; onError: (error: unknown) => void },
) {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  /** Stops the thread and ignores its current task. */
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  const start = (): Worker => {
    const started = startWorker(file);
    started.on("message", (answer: PdfResult) => {
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

/** Starts a thread without the environment, which does not keep the process alive. */
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
