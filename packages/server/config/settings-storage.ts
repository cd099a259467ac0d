import {
  bucket,
  distributionId,
  keyPrefix,
  purgeAddresses,
  purgeHeaders,
  region,
} from "./setting-kinds-storage.ts";
import { type Setting, oneOf, text, webAddress } from "./setting-kinds.ts";

/** The settings of object storage and of the content network, a part of `settings`. */
export const storageSettings = {
  OBJECTS: {
    kind: oneOf(["folder", "s3"]),
    default: "folder",
    help: "Where published files and assets are kept: folder (DATA_DIR/published), or s3, whose credentials come as for AWS's tools.",
  },
  S3_BUCKET: {
    kind: bucket,
    defaultShown: "none",
    help: "The bucket, which OBJECTS=s3 needs.",
  },
  S3_PREFIX: {
    kind: keyPrefix,
    default: "",
    help: "What keys in the bucket begin with, such as consent/production.",
  },
  S3_ENDPOINT: {
    kind: webAddress,
    defaultShown: "AWS",
    help: "Address of the storage where it is not AWS's: MinIO, R2, Ceph, Google Cloud Storage.",
  },
  S3_REGION: {
    kind: region,
    defaultShown: "AWS_REGION",
    help: "Region of the bucket; us-east-1 where S3_ENDPOINT is set and this is not; auto for R2.",
  },
  S3_PATH_STYLE: {
    kind: oneOf(["on", "off"]),
    default: "off",
    help: "on where the bucket is the first part of the path and not of the host's name, as with MinIO.",
  },
  CDN: {
    kind: oneOf(["none", "cloudfront", "purge"]),
    default: "none",
    help: "Who is told that a published file changed: none, cloudfront, or purge (Varnish, nginx, Fastly, Cloudflare; see docs/cdn.md).",
  },
  CLOUDFRONT_DISTRIBUTION_ID: {
    kind: distributionId,
    defaultShown: "none",
    help: "The distribution, which CDN=cloudfront needs; its credentials come as for AWS's tools.",
  },
  PURGE_URLS: {
    kind: purgeAddresses,
    defaultShown: "none",
    help: "With CDN=purge: an address for each cache, separated by commas; {path}, {url} and {host} are of what is purged.",
  },
  PURGE_METHOD: {
    kind: oneOf(["PURGE", "POST", "DELETE", "GET"]),
    default: "PURGE",
    help: "Method of these requests: PURGE, POST, DELETE or GET.",
  },
  PURGE_HEADERS: {
    kind: purgeHeaders,
    default: "{}",
    defaultShown: "none",
    help: "Headers of these requests, a JSON object, with the cache's key where it asks for one.",
    secret: true,
  },
  PURGE_BODY: {
    kind: text("a text", 4_096),
    defaultShown: "none",
    help: "Body of these requests, such as a JSON text with {url} in it.",
  },
} as const satisfies Record<string, Setting>;
