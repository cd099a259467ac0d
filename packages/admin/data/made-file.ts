import type { Operation } from "@avow/client/operations";
import { Problem } from "@avow/client/problem";
import { sleep } from "@avow/client/retry";
import { sendFile } from "../api/send.ts";

const WAITS_MAX = 15;
const WAIT_SECONDS = 1;
const TIMEOUT_MS = 30_000;

/** Answers that the same request may succeed after: the file is still being made, or the service is busy. */
const waitedFor = new Set(["pending", "busy"]);

/** Reads a file byte for byte, once the log has what it proves. `onWait` is called before each wait. @throws Problem */
export async function readMadeFile<I>(
  operation: Operation<I, unknown>,
  input: Parameters<typeof sendFile<I, unknown>>[1],
  onWait?: () => void,
): Promise<string> {
  for (let waits = 0; ; waits += 1) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return await (await sendFile(operation, input, { signal })).text();
    } catch (error) {
      if (!(error instanceof Problem) || !waitedFor.has(error.kind) || waits >= WAITS_MAX)
        throw error;
      onWait?.();
      await sleep((error.retryAfterSeconds ?? WAIT_SECONDS) * 1_000);
    }
  }
}
