import { StorageError } from "./objects.ts";

/** What is known of an error of the SDK, or of the connection below it. */
export interface S3Failure {
  /** S3's code, or the SDK's, or the system's. */
  name: string;
  /** Undefined where nothing was answered. */
  status: number | undefined;
}

/**
 * An error of the SDK as the port's. The SDK's own carry whatever was answered, keys and signatures too, which
 * is not for a log.
 */
export function toStorageError(what: string, cause: unknown): StorageError {
  const { name, status } = toFailure(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = status === undefined ? name : `${name} (${status})`;
  const isAway = isTransient(cause);
  return new StorageError(`S3 could not ${what}: ${reason}, ${message}`, { isAway, cause });
}

/** Reads an error of the SDK; one of the system has its code as its name. */
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

/** Whether an error says that there is no such object; that there is no such bucket is another matter. */
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
  // S3's word for an upload that paused, with status 400.
  "RequestTimeout",
]);

/** Whether trying again may help. */
export function isTransient(error: unknown): boolean {
  const { name, status } = toFailure(error);
  return transientNames.has(name) || (status !== undefined && (status >= 500 || status === 429));
}
