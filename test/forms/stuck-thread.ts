// The thread of PDFs, which never comes to an end with one bundle.
import { parentPort } from "node:worker_threads";
import type { PdfTask } from "../../server/modules/evidence/forms/pdf/maker.ts";

parentPort?.on("message", ({ bundle }: PdfTask) => {
  while (bundle.origin === "stuck.example/log");
});
await import("../../server/modules/evidence/forms/pdf/thread.ts");
