import type { RetryOptions } from "@avow/client/retry";
import { CommandError, toReason } from "./errors.ts";
import type { Progress } from "./progress.ts";

/** Retries of a call, and of work that is more than one. */
export const RETRIES = 8;

/** Retries of work that is more than one call: everything passes but what is told to the caller in words. */
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
