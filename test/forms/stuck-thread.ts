// A PDF thread that never finishes one certain bundle.
import { parentPort } from "node:worker_threads";
import type { PdfTask } from "../../packages/server/modules/evidence/reports/pdf/maker.ts";

parentPort?.on("message", ({ bundle }: PdfTask) => {
  if (bundle.origin === "stuck.example/log")
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
await import("../../packages/server/modules/evidence/reports/pdf/thread.ts");
