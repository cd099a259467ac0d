import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { FastifyBaseLogger } from "fastify";
import { FetchError } from "@avow/move-in/fetch-source";
import type { SourceFile } from "@avow/move-in/input";
import type { Recognized } from "@avow/move-in/recognize";

const MEMORY_MB_MAX = 512;

/** Recognizes files on a thread of its own, since parsing a hostile script takes seconds. */
export interface Recognizer extends AsyncDisposable {
  /** @throws FetchError for a file that takes too much memory or time */
  recognize: (file: SourceFile) => Promise<Recognized>;
}

/** Opens a recognizer, whose thread starts with the first file and stops when the signal aborts. */
export function openRecognizer(
  signal: AbortSignal,
  log: Pick<FastifyBaseLogger, "warn">,
): Recognizer {
  let worker: Worker | undefined;
  const stop = async (): Promise<void> => {
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  return {
    async recognize(file) {
      try {
        signal.throwIfAborted();
        worker ??= startWorker();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(file);
        const [recognized] = (await once(worker, "message", { signal })) as [Recognized];
        return recognized;
      } catch (cause) {
        await stop();
        // Not only a hostile file: a thread that cannot start is an error of the installation.
        if (!signal.aborted) log.warn({ err: cause }, "file of another product not recognized");
        throw new FetchError("The file is too large or too complex to be read.", { cause });
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** Starts a thread without the environment. */
function startWorker(): Worker {
  const name = import.meta.url.endsWith(".ts") ? "./thread.ts" : "./thread.js";
  const worker = new Worker(new URL(name, import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
  });
  // The caller of `recognize` gets the error; one after it has no receiver.
  worker.on("error", () => undefined);
  return worker;
}
