import { createHash } from "node:crypto";
import {
  CloudFrontClient,
  type CloudFrontClientConfig,
  CreateInvalidationCommand,
  ListInvalidationsCommand,
} from "@aws-sdk/client-cloudfront";
import { withRetries } from "../queues/retries.ts";
import { StartError } from "../start-error.ts";
import { assertCdnPaths } from "./cdn.ts";
import type { Cdn, InvalidationIn } from "./cdn.ts";

/** In milliseconds. */
interface CloudFrontTimes {
  connectMs: number;
  requestMs: number;
  /** First pause while too many invalidations are in progress; it doubles each time. */
  fullPauseMs: number;
}

export interface CloudFrontOptions {
  distributionId: string;
  log: { warn(fields: object, message: string): void };
  times?: CloudFrontTimes;
}

const usualTimes: CloudFrontTimes = { connectMs: 5_000, requestMs: 15_000, fullPauseMs: 2_000 };
const ATTEMPTS_MAX = 4;
/** About half a minute, after which the job retries later. */
const FULL_ATTEMPTS_MAX = 5;
const FULL_PAUSE_MAX_MS = 10_000;
const REFERENCE_LENGTH_MAX = 128;

/**
 * Opens CloudFront for one distribution. Credentials are found as by AWS's tools. Transient failures are retried with
 * backoff, and so is an invalidation while too many are in progress: CloudFront's limit is 3,000 paths.
 * @throws StartError when credentials are missing or rejected, or the distribution does not exist
 */
export async function openCloudFrontCdn(options: CloudFrontOptions): Promise<Cdn & Disposable> {
  const { distributionId } = options;
  const client = openClient(options);
  const { fullPauseMs } = options.times ?? usualTimes;
  try {
    await assertKnown(client, options);
  } catch (error) {
    client.destroy();
    throw error;
  }
  const create = async (paths: readonly string[], reference: string): Promise<string> => {
    const command = new CreateInvalidationCommand({
      DistributionId: distributionId,
      InvalidationBatch: {
        CallerReference: reference,
        Paths: { Quantity: paths.length, Items: [...paths] },
      },
    });
    const id = (await client.send(command)).Invalidation?.Id;
    if (!id) throw new Error("CloudFront answered an invalidation without an id");
    return id;
  };
  return {
    async invalidatePaths({ paths, reference }: InvalidationIn) {
      assertCdnPaths(paths);
      // Sorted, since the same reference with another order is a conflict.
      const items = [...new Set(paths.map(toCloudFrontPath))].toSorted();
      const id = await withRetries(() => createOnce(create, items, reference), {
        attemptsMax: FULL_ATTEMPTS_MAX,
        isRetryable: (error) => hasName(error, "TooManyInvalidationsInProgress"),
        pauseMs: fullPauseMs,
        pauseMaxMs: FULL_PAUSE_MAX_MS,
      });
      return { id, note: `CloudFront invalidates ${items.length} paths (invalidation ${id}).` };
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

function openClient({ times = usualTimes }: CloudFrontOptions): CloudFrontClient {
  const config: CloudFrontClientConfig = {
    // The only region of CloudFront's API.
    region: "us-east-1",
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: {
      connectionTimeout: times.connectMs,
      requestTimeout: times.requestMs,
      throwOnRequestTimeout: true,
      socketTimeout: times.requestMs,
    },
  };
  return new CloudFrontClient(config);
}

const advice: Record<string, string> = {
  CredentialsProviderError:
    "CDN=cloudfront has no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run under a role that provides them.",
  NoSuchDistribution:
    "CLOUDFRONT_DISTRIBUTION_ID is not a distribution of the credentials' account.",
};
const rejectedNames = new Set(["InvalidClientTokenId", "SignatureDoesNotMatch", "ExpiredToken"]);

/**
 * Reads the distribution once. Valid credentials may lack the right to read it, and CloudFront may be unavailable for
 * a moment: neither prevents the start.
 */
async function assertKnown(
  client: CloudFrontClient,
  { distributionId: DistributionId, log }: CloudFrontOptions,
): Promise<void> {
  try {
    await client.send(new ListInvalidationsCommand({ DistributionId, MaxItems: 1 }));
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    const message = rejectedNames.has(name)
      ? `AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are rejected by CloudFront (${name}).`
      : advice[name];
    if (message !== undefined) throw new StartError(message, { cause: error });
    log.warn({ err: error }, "CloudFront distribution not checked");
  }
}

/**
 * Creates an invalidation. The same reference with the same paths returns the same invalidation. With other paths
 * (CDN_URL was changed between two attempts of a job) it is rejected, and the paths become part of the reference.
 */
async function createOnce(
  create: (paths: readonly string[], reference: string) => Promise<string>,
  paths: readonly string[],
  reference: string,
): Promise<string> {
  try {
    return await create(paths, toCallerReference(reference));
  } catch (error) {
    if (!hasName(error, "InvalidationBatchAlreadyExists")) throw error;
    const digest = createHash("sha256")
      .update(JSON.stringify([reference, paths]))
      .digest("hex");
    return create(paths, digest);
  }
}

/** CloudFront documents no limits of a reference, so only a short and plain one is used as it is. */
function toCallerReference(reference: string): string {
  const isPlain = /^[\w.:-]+$/.test(reference) && reference.length <= REFERENCE_LENGTH_MAX;
  return isPlain ? reference : createHash("sha256").update(reference).digest("hex");
}

/**
 * Encodes a path for CloudFront's API: only characters that RFC 1738 calls unsafe are percent-encoded, and the
 * asterisk, which is a wildcard.
 */
export function toCloudFrontPath(path: string): string {
  return path.replace(
    /[<>"#{}|\\^~[\]`*]|%(?![0-9A-Fa-f]{2})/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
