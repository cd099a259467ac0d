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
  /** Between two questions whether there is room for an invalidation; twice as long each time. */
  fullPauseMs: number;
}

export interface CloudFrontOptions {
  distributionId: string;
  log: { warn(fields: object, message: string): void };
  times?: CloudFrontTimes;
}

const usualTimes: CloudFrontTimes = { connectMs: 5_000, requestMs: 15_000, fullPauseMs: 2_000 };
const ATTEMPTS_MAX = 4;
/** About half a minute; a job that still finds no room is tried again later. */
const FULL_ATTEMPTS_MAX = 5;
const FULL_PAUSE_MAX_MS = 10_000;
const REFERENCE_LENGTH_MAX = 128;

/**
 * Opens CloudFront for one distribution. Credentials come from where AWS's tools look for them. What fails for
 * a moment is tried again with back-off, and so is an invalidation for which CloudFront has no room: it takes 3,000
 * paths at a time.
 * @throws StartError when there are no credentials, they are refused, or there is no such distribution
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
      // The same paths in another order would be other paths.
      const items = [...new Set(paths.map(toCloudFrontPath))].toSorted();
      const id = await withRetries(() => createOnce(create, items, reference), {
        attemptsMax: FULL_ATTEMPTS_MAX,
        isRetryable: (error) => hasName(error, "TooManyInvalidationsInProgress"),
        pauseMs: fullPauseMs,
        pauseMaxMs: FULL_PAUSE_MAX_MS,
      });
      return { id, note: `CloudFront forgets ${items.length} paths (invalidation ${id}).` };
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

function openClient({ times = usualTimes }: CloudFrontOptions): CloudFrontClient {
  const config: CloudFrontClientConfig = {
    // The one region of CloudFront's API.
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
    "CDN=cloudfront has no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run where a role gives them.",
  NoSuchDistribution:
    "CLOUDFRONT_DISTRIBUTION_ID names no distribution of the account whose credentials are set.",
};
const refusedNames = new Set(["InvalidClientTokenId", "SignatureDoesNotMatch", "ExpiredToken"]);

/**
 * Looks at the distribution. Whose credentials are right may lack the right to look, and CloudFront may be away
 * for a moment: neither is a reason not to start.
 */
async function assertKnown(
  client: CloudFrontClient,
  { distributionId: DistributionId, log }: CloudFrontOptions,
): Promise<void> {
  try {
    await client.send(new ListInvalidationsCommand({ DistributionId, MaxItems: 1 }));
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    const told = refusedNames.has(name)
      ? `AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are refused by CloudFront (${name}).`
      : advice[name];
    if (told !== undefined) throw new StartError(told, { cause: error });
    log.warn({ err: error }, "CLOUDFRONT_DISTRIBUTION_ID could not be looked at");
  }
}

/**
 * The same reference with the same paths answers the same invalidation; with other paths (CDN_URL was changed between
 * two tries of a job) it is refused, and then the paths become a part of the reference.
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

/** CloudFront tells no limits of a reference: what is short and plain stays readable. */
function toCallerReference(reference: string): string {
  const isPlain = /^[\w.:-]+$/.test(reference) && reference.length <= REFERENCE_LENGTH_MAX;
  return isPlain ? reference : createHash("sha256").update(reference).digest("hex");
}

/**
 * A path as CloudFront's API wants it: what RFC 1738 calls unsafe is percent-encoded, and nothing else. An
 * asterisk would stand for any text.
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
