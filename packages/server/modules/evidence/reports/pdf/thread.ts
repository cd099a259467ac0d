// The thread that makes PDFs, one after the other.
import { parentPort } from "node:worker_threads";
import type { PdfDone, PdfTask } from "./maker.ts";
import { toPdf } from "./proof.ts";

let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (task: PdfTask) => {
  last = last.then(() => answer(task));
});

async function answer({ id, bundle, options }: PdfTask): Promise<void> {
  try {
    const pdf = new Uint8Array(await toPdf(bundle, options));
    parentPort?.postMessage({ id, pdf } satisfies PdfDone, [pdf.buffer]);
  } catch (error) {
    const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage({ id, error: told } satisfies PdfDone);
  }
}
