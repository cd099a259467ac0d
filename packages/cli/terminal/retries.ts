import type { RetryOptions } from "@avow/client/retry";
import { CommandError, toReason } from "./errors.ts";
import type { Progress } from "./progress.ts";

/** Maximum retries of one call, and of work of several calls. */
export const RETRIES = 8;

/** Options for retrying work of several calls. A `CommandError` is final, any other error is retried. */
export function toRetryOptions({
  signal,
  progress,
}: {
  signal: AbortSignal;
  progress?: Progress;
}): RetryOptions {
  return {
    retries: RETRIES,
    signal,
    isTransient: (error) => !(error instanceof CommandError),
    onRetry: (error) => progress?.say(`${toReason(error)} Retrying …`),
  };
}
