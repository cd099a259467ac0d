import { randomBytes } from "node:crypto";
import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { StartError } from "../start-error.ts";
import { toFailure } from "./s3-errors.ts";

/** The location of objects in S3. */
export interface S3Location {
  bucket: string;
  /** Prefix of each key: empty, or with a trailing slash. */
  prefix: string;
  /** Default: AWS. */
  endpoint: string | undefined;
  /** Default: as AWS's tools find it. */
  region: string | undefined;
  pathStyle: boolean;
}

/**
 * Lists, puts and deletes once, so that wrong settings fail at the start and not at the first publication. Listing
 * is required, since without that right S3 answers 403 for a missing object.
 * @throws StartError with the setting and how to fix it
 */
export async function assertUsable(client: S3Client, place: S3Location): Promise<void> {
  const { bucket: Bucket, prefix } = place;
  const probe = { Bucket, Key: `${prefix}start-check-${randomBytes(6).toString("hex")}.txt` };
  const body = { Body: Buffer.from("Avow may write here.\n"), ContentType: "text/plain" };
  const steps: [string, () => Promise<unknown>][] = [
    ["list", () => client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 1 }))],
    ["put", () => client.send(new PutObjectCommand({ ...probe, ...body }))],
    ["delete", () => client.send(new DeleteObjectCommand(probe))],
  ];
  for (const [verb, run] of steps) {
    try {
      await run();
    } catch (error) {
      throw new StartError(toAdvice(error, verb, place), { cause: error });
    }
  }
}

const credentialNames = new Set([
  "InvalidAccessKeyId",
  "SignatureDoesNotMatch",
  "InvalidToken",
  "ExpiredToken",
  "InvalidSecurity",
  "AuthFailure",
]);
const elsewhereNames = new Set(["PermanentRedirect", "AuthorizationHeaderMalformed"]);
const rights = "s3:ListBucket, s3:GetObject, s3:PutObject and s3:DeleteObject";

function toAdvice(error: unknown, verb: string, place: S3Location): string {
  const { name, status } = toFailure(error);
  const { bucket, endpoint } = place;
  const message = error instanceof Error ? error.message : String(error);
  const at = endpoint ?? "AWS";
  if (name === "CredentialsProviderError")
    return "OBJECTS=s3 has no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run under a role that provides them.";
  if (name === "NoSuchBucket" || (verb === "list" && status === 404))
    return `S3_BUCKET does not exist: ${at} has no bucket ${bucket}. Create it or correct the name${endpoint ? "; if buckets are paths of one host, set S3_PATH_STYLE=on" : ""}.`;
  // Cloudflare's error for an invalid key.
  const isBadKey = name === "InvalidArgument" && /credential/i.test(message);
  if (isBadKey || credentialNames.has(name))
    return `AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are rejected by ${at} (${name}). Set those of a user with access to the bucket ${bucket}.`;
  if (elsewhereNames.has(name) || status === 301)
    return `S3_REGION is not the region of the bucket ${bucket} (${message}). Set it to the bucket's region.`;
  if (status === 403)
    return `S3_BUCKET cannot be used: these credentials may not ${verb} in ${bucket} at ${at}. They need ${rights}${place.prefix && ` under ${place.prefix}`}.`;
  if (/region is missing/i.test(message))
    return "S3_REGION is not set, nor is AWS_REGION. Set it to the bucket's region.";
  if (status === undefined)
    return `S3_ENDPOINT cannot be reached: ${at} does not respond (${name}: ${message}). Check the address, the network and S3_PATH_STYLE.`;
  return `S3_BUCKET cannot be used: ${verb} in ${bucket} at ${at} failed with status ${status} (${name}: ${message}).`;
}
