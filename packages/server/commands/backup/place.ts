import { mkdir, stat } from "node:fs/promises";
import { CommandError, UsageError } from "@avow/cli/errors";
import { toPath } from "@avow/cli/path";
import type { Config } from "../../config/config.ts";
import type { Objects } from "../../platform/objects/objects.ts";
import { codeOf } from "../../platform/errors.ts";
import { openObjects } from "../../platform/objects/open.ts";

const s3Pattern = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,220}[a-z0-9])(?:\/([\w./-]*))?$/;

/** Whether a place is in S3 rather than a folder. */
export function isBucket(place: string): boolean {
  return /^s3:/i.test(place);
}

/**
 * Opens the place of a backup: a folder, or `s3://bucket/prefix` with the settings S3_ENDPOINT, S3_REGION and S3_PATH_STYLE
 * and the credentials of AWS's tools.
 * @throws UsageError, StartError; CommandError if there is no such folder
 */
export async function openPlace(
  place: string,
  { s3 }: Pick<Config, "s3">,
): Promise<Objects & Disposable> {
  if (isBucket(place)) {
    const [, bucket, path = ""] = s3Pattern.exec(place) ?? [];
    if (bucket === undefined)
      throw new UsageError(`${place} is not a bucket such as s3://backups/avow/2026-01-31.`);
    const prefix = path.replace(/^\/+|\/+$/g, "");
    const config = { kind: "s3", bucket, prefix: prefix && `${prefix}/`, ...s3 } as const;
    return openObjects(config, () => new Date());
  }
  const root = toPath(place);
  const found = await stat(root).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  if (!found?.isDirectory())
    throw new CommandError(`${place} ${found ? "is not a folder" : "does not exist"}.`);
  return openObjects({ kind: "folder", root }, () => new Date());
}

/** The place of the file or folder `name` in a place. */
export function toInner(place: string, name: string): string {
  return `${place.replace(/\/+$/, "")}/${name}`;
}

/** Makes the folder of a new backup, unless it is there. */
export async function makePlace(place: string): Promise<void> {
  if (isBucket(place)) return;
  await mkdir(toPath(place), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    // A file is in its place, which opening it reports.
    if (codeOf(error) !== "EEXIST") throw error;
  });
}
