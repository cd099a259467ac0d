import { join, resolve } from "node:path";
import type { Values } from "./settings.ts";

/** Where published files are kept. */
export type ObjectsConfig =
  | {
      readonly kind: "folder";
      /** Absolute. */
      readonly root: string;
    }
  | {
      readonly kind: "s3";
      readonly bucket: string;
      /** Before each key: empty, or with a slash at its end. */
      readonly prefix: string;
      /** Undefined: AWS's own. */
      readonly endpoint: string | undefined;
      /** Undefined: where AWS's tools look for it. */
      readonly region: string | undefined;
      readonly pathStyle: boolean;
    };

/** Settings that need one another: each fault names the setting and what it expected. */
export function findStorageFaults(values: Values): string[] {
  const { OBJECTS, S3_BUCKET } = values;
  if (OBJECTS === "s3" && S3_BUCKET === undefined)
    return ["S3_BUCKET: expected a bucket's name, which OBJECTS=s3 needs"];
  // Who names a bucket would look for the files in it.
  if (OBJECTS === "folder" && S3_BUCKET !== undefined)
    return ["OBJECTS: expected s3, since S3_BUCKET is set"];
  return [];
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
