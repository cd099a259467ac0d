import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

/** In milliseconds. */
export interface S3Timeouts {
  connectMs: number;
  /** Until an answer begins; what is sent adds to it by its size. */
  requestMs: number;
  /** Without a byte in either direction. */
  stallMs: number;
}

export const usualTimeouts: S3Timeouts = { connectMs: 5_000, requestMs: 30_000, stallMs: 30_000 };

/** More requests wait for one of these, and for `connectMs` at most. */
const SOCKETS_MAX = 64;

export interface S3ClientOptions {
  endpoint: string | undefined;
  /** Undefined: where AWS's tools look for it. */
  region: string | undefined;
  pathStyle: boolean;
  timeouts: S3Timeouts;
  attemptsMax: number;
}

/** Opens the SDK's client, with bounds in time and connections. */
export function openS3Client(options: S3ClientOptions): S3Client {
  const { endpoint, region, pathStyle, timeouts, attemptsMax } = options;
  const agent = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const config: S3ClientConfig = {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle: pathStyle,
    maxAttempts: attemptsMax,
    // Newer checksums come in trailers, which other makers' storage does not take.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A large put would open a connection of its own, beside those that are bounded.
    expectContinueHeader: false,
    // It says on the console that a stream is not sent again; we send it again.
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.requestMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeouts.stallMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  };
  const client = new S3Client(config);
  client.middlewareStack.addRelativeTo(acceptCodings, {
    name: "acceptCodings",
    relation: "after",
    toMiddleware: "httpSigningMiddleware",
  });
  return client;
}

/**
 * Google Cloud Storage unpacks what is stored as gzip unless gzip is accepted. Its front end changes the header
 * on the way, so it is added after the request is signed.
 */
function acceptCodings<Args extends { request: unknown }, Output>(
  next: (args: Args) => Promise<Output>,
) {
  return (args: Args): Promise<Output> => {
    const { request } = args;
    if (isRequest(request)) request.headers["accept-encoding"] = "gzip, br, identity";
    return next(args);
  };
}

function isRequest(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}

function ignore(): void {}
