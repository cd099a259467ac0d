import { StorageError } from "./objects.ts";

/** An error of the SDK, or of its connection. */
export interface S3Failure {
  /** S3's code, or the SDK's, or the system's. */
  name: string;
  /** Undefined without a response. */
  status: number | undefined;
}

/**
 * Converts an error of the SDK. The SDK's errors contain the whole response, including keys and signatures, and
 * must not be logged.
 */
export function toStorageError(what: string, cause: unknown): StorageError {
  const { name, status } = toFailure(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = status === undefined ? name : `${name} (${status})`;
  const isUnavailable = isTransient(cause);
  return new StorageError(`S3 could not ${what}: ${reason}, ${message}`, { isUnavailable, cause });
}

/** The name and status of an error; for a system error, its code is the name. */
export function toFailure(error: unknown): S3Failure {
  if (!(error instanceof Error)) return { name: String(error), status: undefined };
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return { name: code ?? error.name, status: toStatus(error) };
}

function toStatus(error: Error): number | undefined {
  const metadata: unknown = "$metadata" in error ? error.$metadata : undefined;
  if (typeof metadata !== "object" || !metadata || !("httpStatusCode" in metadata))
    return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
}

/** Whether an error means that the object is missing. A missing bucket is a different error. */
export function isMissing(error: unknown): boolean {
  const { name, status } = toFailure(error);
  return status === 404 && name !== "NoSuchBucket";
}

const transientNames = new Set([
  "TimeoutError",
  "ETIMEDOUT",
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "EAI_AGAIN",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "SlowDown",
  // S3's error for a stalled upload, with status 400.
  "RequestTimeout",
]);

/** Whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  const { name, status } = toFailure(error);
  return transientNames.has(name) || (status !== undefined && (status >= 500 || status === 429));
}
