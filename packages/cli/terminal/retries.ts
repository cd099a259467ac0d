import type { RetryOptions } from "@avow/client/retry";
import { CommandError, toReason } from "./errors.ts";
import type { Progress } from "./progress.ts";

/** Retries of a call, and of work that is more than one. */
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
    onRetry: (error) => progress?.say(`${toReason(error)} Trying again …`),
  };
}
