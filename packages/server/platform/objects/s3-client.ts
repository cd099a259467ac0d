import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

/** In milliseconds. */
export interface S3Timeouts {
  connectMs: number;
  /** Until the response begins; increased by the size of an upload. */
  requestMs: number;
  /** Maximum time without a byte in either direction. */
  stallMs: number;
}

export const usualTimeouts: S3Timeouts = { connectMs: 5_000, requestMs: 30_000, stallMs: 30_000 };

/** Further requests wait for a free socket, at most `connectMs`. */
const SOCKETS_MAX = 64;

export interface S3ClientOptions {
  endpoint: string | undefined;
  /** Default: as AWS's tools find it. */
  region: string | undefined;
  pathStyle: boolean;
  timeouts: S3Timeouts;
  attemptsMax: number;
}

/** Opens the SDK's client, with timeouts and a limit of connections. */
export function openS3Client(options: S3ClientOptions): S3Client {
  const { endpoint, region, pathStyle, timeouts, attemptsMax } = options;
  const agent = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const config: S3ClientConfig = {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle: pathStyle,
    maxAttempts: attemptsMax,
    // Newer checksums use trailers, which other vendors' storage does not support.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A large put would open a connection outside the limit.
    expectContinueHeader: false,
    // The SDK warns on the console that it cannot retry a stream; `putFile` retries it.
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
 * Google Cloud Storage decompresses gzip objects unless gzip is accepted. Its front end changes the header in
 * transit, so it is added after the request is signed.
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
