import { join, resolve } from "node:path";
import type { CdnConfig } from "../platform/cdn/open.ts";
import type { ObjectsConfig } from "../platform/objects/open.ts";
import type { Values } from "./settings.ts";

/** Settings that need one another: each fault names the setting and what it expected. */
export function findStorageFaults(values: Values): string[] {
  const { OBJECTS, S3_BUCKET, CDN, CLOUDFRONT_DISTRIBUTION_ID, PURGE_URLS, PURGE_BODY } = values;
  return [
    ...toFaults(["OBJECTS", "s3", OBJECTS], ["S3_BUCKET", "a bucket's name", S3_BUCKET]),
    ...toFaults(
      ["CDN", "cloudfront", CDN],
      ["CLOUDFRONT_DISTRIBUTION_ID", "a distribution's id", CLOUDFRONT_DISTRIBUTION_ID],
    ),
    ...toFaults(["CDN", "purge", CDN], ["PURGE_URLS", "the caches' addresses", PURGE_URLS]),
    ...(PURGE_URLS ?? [])
      .filter((address) => !/\{(path|url)\}/.test(address + (PURGE_BODY ?? "")))
      .map((address) => `PURGE_URLS: expected {path} or {url} in ${address}, or in PURGE_BODY`),
  ];
}

/** A choice needs its setting; and who sets that has made the choice, and would wonder why nothing follows. */
function toFaults(
  [choice, value, chosen]: [string, string, string],
  [name, expected, set]: [string, string, unknown],
): string[] {
  if (chosen === value && set === undefined)
    return [`${name}: expected ${expected}, which ${choice}=${value} needs`];
  if (chosen !== value && set !== undefined)
    return [`${choice}: expected ${value}, since ${name} is set`];
  return [];
}

/** Reads who is told that a published file changed, from settings without faults. */
export function toCdnConfig(values: Values): CdnConfig {
  const { CLOUDFRONT_DISTRIBUTION_ID, PURGE_URLS, PURGE_METHOD, PURGE_BODY } = values;
  if (CLOUDFRONT_DISTRIBUTION_ID !== undefined)
    return { kind: "cloudfront", distributionId: CLOUDFRONT_DISTRIBUTION_ID };
  if (PURGE_URLS === undefined) return { kind: "none" };
  return { kind: "purge", caches: PURGE_URLS, method: PURGE_METHOD, body: PURGE_BODY };
}

/** Reads where published files are kept, from settings without faults. */
export function toObjectsConfig(values: Values): ObjectsConfig {
  const { DATA_DIR, S3_BUCKET, S3_PREFIX, S3_ENDPOINT, S3_REGION, S3_PATH_STYLE } = values;
  if (S3_BUCKET === undefined)
    return { kind: "folder", root: join(resolve(DATA_DIR), "published") };
  return {
    kind: "s3",
    bucket: S3_BUCKET,
    prefix: S3_PREFIX,
    endpoint: S3_ENDPOINT,
    // Other makers' storage has one region, and takes this name for it.
    region: S3_REGION ?? (S3_ENDPOINT === undefined ? undefined : "us-east-1"),
    pathStyle: S3_PATH_STYLE === "on",
  };
}
