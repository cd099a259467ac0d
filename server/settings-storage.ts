import { bucket, keyPrefix, region } from "./setting-kinds-storage.ts";
import { type Setting, oneOf, webAddress } from "./setting-kinds.ts";

/** The settings of object storage and of the content network, a part of `settings`. */
export const storageSettings = {
  OBJECTS: {
    kind: oneOf(["folder", "s3"]),
    default: "folder",
    help: "Where published files are kept: folder (DATA_DIR/published), or s3, whose credentials come as for AWS's tools.",
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
} as const satisfies Record<string, Setting>;
