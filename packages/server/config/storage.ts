import { join } from "node:path";
import type { CdnConfig } from "../platform/cdn/open.ts";
import type { ObjectsConfig } from "../platform/objects/open.ts";
import { type Kind, flag, list, oneOf, parseHttp, record, text, webUrl } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";

const CACHES_MAX = 32;
const HEADERS_MAX = 16;
/** Headers that frame a request. */
const reservedHeaders = new Set(["connection", "content-length", "transfer-encoding", "expect"]);

/** The name of a bucket. */
export const bucket = text(
  "a bucket's name of 3 to 222 lower-case letters, digits, dots, hyphens and underscores",
  // Names of Google Cloud Storage are longer than those of AWS, and have underscores.
  222,
  /^[a-z0-9][a-z0-9._-]+[a-z0-9]$/,
);

const distributionId = text("a distribution's id such as E2QWRUHAPOMQZL", 32, /^[A-Z0-9]{5,}$/);

/** Read with a slash at its end, unless it is empty. */
const keyPrefix: Kind<string> = {
  expected: "segments of letters, digits, dots, hyphens and underscores between slashes",
  parse: (value) => {
    const path = value.replace(/^\/+|\/+$/g, "");
    if (path === "") return "";
    const isPlain = path.split("/").every((one) => /^[\w.-]+$/.test(one) && !/^\.+$/.test(one));
    return isPlain && path.length <= 256 ? `${path}/` : undefined;
  },
};

/** Secrets belong in PURGE_HEADERS, so a URL may be shown. */
const purgeUrl = text(
  "http or https addresses such as http://varnish:6081{path}",
  2_048,
  (value) => {
    const example = value
      .replaceAll("{url}", "https://cdn.example/a.json")
      .replaceAll("{path}", "/a.json")
      .replaceAll("{host}", "cdn.example");
    return !/[{}\s]/.test(example) && parseHttp(example) !== undefined;
  },
);

const purgeHeaders = record(
  'a JSON object of headers such as {"Fastly-Key": "…"}',
  HEADERS_MAX,
  (name, value) => {
    const isName =
      /^[\w!#$%&'*+.^`|~-]{1,128}$/.test(name) && !reservedHeaders.has(name.toLowerCase());
    const isValue = typeof value === "string" && /^[\x20-\x7e]{0,4096}$/.test(value);
    return isName && isValue ? value : undefined;
  },
);

/** Published files and assets, and the CDN or caches in front of them. */
export const storage = {
  OBJECTS: setting(oneOf(["folder", "s3"]), {
    default: "folder",
    description:
      "Storage of published files and assets: the folder DATA_DIR/published, or an S3 bucket with the credentials of AWS's tools.",
  }),
  S3_BUCKET: setting(bucket, {
    requiredWith: ["OBJECTS=s3"],
    description: "Name of the bucket.",
  }),
  S3_PREFIX: setting(keyPrefix, {
    default: "",
    description: "Prefix of all keys in the bucket, such as consent/production.",
  }),
  S3_ENDPOINT: setting(webUrl, {
    defaultShown: "AWS",
    description:
      "URL of S3-compatible storage other than AWS: MinIO, R2, Ceph, Google Cloud Storage.",
  }),
  S3_REGION: setting(text("a region such as eu-central-1", 64, /^[a-z0-9-]+$/), {
    defaultShown: "AWS_REGION, or us-east-1 with S3_ENDPOINT",
    description: "Region of the bucket; auto for R2.",
  }),
  S3_PATH_STYLE: setting(flag("on", "off"), {
    default: "off",
    description:
      "Position of the bucket's name in URLs: on for the path, as MinIO expects, off for the host name.",
  }),
  CDN_URL: setting(webUrl, {
    defaultShown: "PUBLIC_URL/cdn",
    description: "Base URL of published files.",
  }),
  CDN: setting(oneOf(["none", "cloudfront", "purge"]), {
    default: "none",
    description:
      "CDN or caches to purge after each publication; purge is for Varnish, nginx, Fastly and Cloudflare (docs/guides/cdn.md).",
  }),
  CLOUDFRONT_DISTRIBUTION_ID: setting(distributionId, {
    requiredWith: ["CDN=cloudfront"],
    description: "ID of the CloudFront distribution; purged with the credentials of AWS's tools.",
  }),
  PURGE_URLS: setting(list(purgeUrl, { countMax: CACHES_MAX, allowsBlanks: false }), {
    requiredWith: ["CDN=purge"],
    description:
      "URL of each cache's purge requests, with the placeholders {path}, {url} and {host}.",
  }),
  PURGE_METHOD: setting(oneOf(["PURGE", "POST", "DELETE", "GET"]), {
    default: "PURGE",
    description: "HTTP method of purge requests.",
  }),
  PURGE_HEADERS: setting(purgeHeaders, {
    path: "purgeHeaders",
    description: "Headers of purge requests, such as a cache's API key.",
    secret: true,
  }),
  PURGE_BODY: setting(text("a text of up to 4096 characters", 4_096), {
    description: "Body of purge requests, with the placeholders of PURGE_URLS.",
  }),
};

type Values = ValuesOf<typeof storage>;

/** Without a placeholder, a cache would not know what to purge. */
export function findStorageErrors({ PURGE_URLS = [], PURGE_BODY = "" }: Values): string[] {
  return PURGE_URLS.filter((url) => !/\{(path|url)\}/.test(url + PURGE_BODY)).map(
    (url) => `PURGE_URLS: expected {path} or {url} in ${url}, or in PURGE_BODY`,
  );
}

export function toCdnConfig(values: Values): CdnConfig {
  const { CLOUDFRONT_DISTRIBUTION_ID, PURGE_URLS, PURGE_METHOD, PURGE_BODY } = values;
  if (CLOUDFRONT_DISTRIBUTION_ID !== undefined)
    return { kind: "cloudfront", distributionId: CLOUDFRONT_DISTRIBUTION_ID };
  if (PURGE_URLS === undefined) return { kind: "none" };
  return { kind: "purge", caches: PURGE_URLS, method: PURGE_METHOD, body: PURGE_BODY };
}

export function toObjectsConfig(values: Values, dataDir: string): ObjectsConfig {
  const { S3_BUCKET, S3_PREFIX } = values;
  if (S3_BUCKET === undefined) return { kind: "folder", root: join(dataDir, "published") };
  return { kind: "s3", bucket: S3_BUCKET, prefix: S3_PREFIX, ...toS3Config(values) };
}

/** How buckets are reached, also those of backups. */
export function toS3Config({ S3_ENDPOINT, S3_REGION, S3_PATH_STYLE }: Values) {
  return {
    endpoint: S3_ENDPOINT,
    // Compatible storage has one region, and accepts this name for it.
    region: S3_REGION ?? (S3_ENDPOINT === undefined ? undefined : "us-east-1"),
    pathStyle: S3_PATH_STYLE,
  };
}
