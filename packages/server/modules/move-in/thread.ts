// The thread that recognizes files of consent products, one at a time.
import { parentPort } from "node:worker_threads";
import type { SourceFile } from "@avow/move-in/input";
import { recognizeFile } from "@avow/move-in/recognize";

parentPort?.on("message", (file: SourceFile) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(recognizeFile(file));
});
