import { Worker } from "node:worker_threads";
import { Fault } from "../../../../platform/errors.ts";
import type { ProofBundleOut } from "../../schema.ts";
import type { PdfOptions } from "./proof.ts";

/** What the thread is asked for, and what it answers. */
export interface PdfTask {
  id: number;
  bundle: ProofBundleOut;
  options: PdfOptions;
}
export type PdfDone = { id: number; pdf: Uint8Array } | { id: number; error: string };

/** Makes PDFs off the thread that answers requests. */
export interface PdfMaker {
  /**
   * As `toPdf`.
   * @throws Fault busy while as many as may wait are waiting, and for one that takes too long
   */
  make(bundle: ProofBundleOut, options: PdfOptions): Promise<Buffer>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** One is made, and the others wait for it. */
const WAITING_MAX = 4;
const TIMEOUT_MS = 30_000;
/** Then the thread ends, and gives back the memory of its fonts. */
const IDLE_MS = 60_000;
const MEMORY_MB_MAX = 512;

interface Waiting {
  done: PromiseWithResolvers<Buffer>;
  timer: NodeJS.Timeout;
}

/** Opens the maker; its thread begins with the first PDF. */
export function openPdfMaker({
  waitingMax = WAITING_MAX,
  timeoutMs = TIMEOUT_MS,
}: { waitingMax?: number; timeoutMs?: number } = {}): PdfMaker {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;
  const settle = (id: number, settleOne: (done: Waiting["done"]) => void): void => {
    const one = waiting.get(id);
    if (!one) return;
    clearTimeout(one.timer);
    waiting.delete(id);
    settleOne(one.done);
    if (waiting.size === 0) idle = setTimeout(() => void stop(), IDLE_MS).unref();
  };
  const fail = (error: Error): void => {
    for (const id of waiting.keys()) settle(id, (done) => done.reject(error));
  };
  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  const start = (): Worker => {
    const started = openThread();
    started.on("message", (answer: PdfDone) => {
      settle(answer.id, (done) => {
        if ("pdf" in answer) done.resolve(Buffer.from(answer.pdf));
        else done.reject(new Error(answer.error));
      });
    });
    started.on("error", (error) => {
      if (worker === started) worker = undefined;
      fail(new Error("The thread of PDFs ended.", { cause: error }));
    });
    return started;
  };
  return {
    async make(bundle, options) {
      if (waiting.size >= waitingMax) throw toBusy(`${waitingMax} PDFs are being made already.`);
      clearTimeout(idle);
      worker ??= start();
      const id = (count += 1);
      const done = Promise.withResolvers<Buffer>();
      const timer = setTimeout(() => {
        fail(toBusy("A PDF took too long. The bundle as JSON says the same."));
        void stop();
      }, timeoutMs);
      waiting.set(id, { done, timer });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id, bundle, options } satisfies PdfTask);
      return done.promise;
    },
    async [Symbol.asyncDispose]() {
      fail(toBusy("The service is shutting down."));
      await stop();
    },
  };
}

/** It gets nothing of the environment, and does not keep the process from ending. */
function openThread(): Worker {
  const file = import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js";
  const worker = new Worker(new URL(file, import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  worker.unref();
  return worker;
}

function toBusy(detail: string): Fault {
  return new Fault("busy", detail, { retryAfterSeconds: 2 });
}
