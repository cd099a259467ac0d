// The thread that generates PDFs, one at a time.
import { parentPort } from "node:worker_threads";
import type { PdfResult, PdfTask } from "./maker.ts";
import { toPdf } from "./proof.ts";

let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (task: PdfTask) => {
  last = last.then(() => answer(task));
});

async function answer({ id, bundle, options }: PdfTask): Promise<void> {
  try {
    const pdf = new Uint8Array(await toPdf(bundle, options));
    parentPort?.postMessage({ id, pdf } satisfies PdfResult, [pdf.buffer]);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, error: message } satisfies PdfResult);
  }
}
