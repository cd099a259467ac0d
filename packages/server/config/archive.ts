import { join } from "node:path";
import type { ObjectsConfig } from "../platform/objects/open.ts";
import { integer } from "./kinds.ts";
import { type ValuesOf, setting } from "./schema.ts";
import { bucket, toS3Config } from "./storage.ts";
import type { storage } from "./storage.ts";

/** Old months of consents, as files beside the database. They have personal data, and are never published. */
export const archive = {
  ARCHIVE_AFTER_MONTHS: setting(integer(0, 1_200, "months"), {
    path: "archive.afterMonths",
    default: "0",
    description:
      "Time after the end of a month when its consents move from the database to files (docs/guides/archive-months.md); 0: never. Only once all nodes have this version.",
  }),
  ARCHIVE_S3_BUCKET: setting(bucket, {
    defaultShown: "the folder DATA_DIR/archive",
    description:
      "Private bucket of archived months, on the storage of S3_ENDPOINT; never that of S3_BUCKET, which is published.",
  }),
};

type Values = ValuesOf<typeof archive> & ValuesOf<typeof storage>;

/** Archived months must be private, and within reach of all nodes. */
export function findArchiveErrors(values: Values): string[] {
  const { ARCHIVE_AFTER_MONTHS, ARCHIVE_S3_BUCKET, OBJECTS, S3_BUCKET } = values;
  if (ARCHIVE_S3_BUCKET !== undefined && ARCHIVE_S3_BUCKET === S3_BUCKET)
    return [
      "ARCHIVE_S3_BUCKET: expected another bucket than S3_BUCKET, whose objects are published",
    ];
  if (ARCHIVE_AFTER_MONTHS > 0 && OBJECTS === "s3" && ARCHIVE_S3_BUCKET === undefined)
    return [
      "ARCHIVE_S3_BUCKET: expected a bucket, since OBJECTS=s3 and ARCHIVE_AFTER_MONTHS are set",
    ];
  return [];
}

export function toArchiveObjects(values: Values, dataDir: string): ObjectsConfig {
  const { ARCHIVE_S3_BUCKET } = values;
  if (ARCHIVE_S3_BUCKET === undefined) return { kind: "folder", root: join(dataDir, "archive") };
  return { kind: "s3", bucket: ARCHIVE_S3_BUCKET, prefix: "", ...toS3Config(values) };
}
