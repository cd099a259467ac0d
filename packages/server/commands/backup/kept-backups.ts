import { readdir, rm } from "node:fs/promises";
import { toPath } from "@avow/cli/path";
import type { Config } from "../../config/config.ts";
import { MANIFEST } from "./manifest.ts";
import { isBucket, openPlace, toInner } from "./place.ts";

/** An incomplete backup may be one that another process is still writing. */
const INCOMPLETE_AGE_MS = 24 * 3_600_000;
const namePattern = /^(\d{4}-\d\d-\d\d)t(\d\d)-(\d\d)-(\d\d)z$/;

/** The place of a new backup inside `place`, named by its time: names sort by time, and are valid in keys of objects. */
export function toDatedPlace(place: string, now: Date): string {
  const time = now.toISOString().slice(0, 19).replaceAll(":", "-").toLowerCase();
  return toInner(place, `${time}z`);
}

/**
 * Removes backups in `place`: the complete ones except the newest `keep`, and incomplete ones older than a day. Other files
 * and folders are kept. Returns the number of removed backups.
 */
export async function removeOldBackups(
  place: string,
  config: Pick<Config, "s3">,
  { keep, now }: { keep: number; now: Date },
): Promise<number> {
  const found = await listBackups(place, config);
  const names = [...found.keys()].toSorted().toReversed();
  const complete = names.filter((name) => found.get(name));
  const before = now.getTime() - INCOMPLETE_AGE_MS;
  const incomplete = names.filter((name) => !found.get(name) && toTime(name) < before);
  const old = [...complete.slice(keep), ...incomplete];
  for (const name of old) await removeBackup(toInner(place, name), config);
  return old.length;
}

/** The dated backups in `place`, each with whether it is complete. */
async function listBackups(
  place: string,
  config: Pick<Config, "s3">,
): Promise<Map<string, boolean>> {
  const found = new Map<string, boolean>();
  if (!isBucket(place)) {
    for (const name of await readdir(toPath(place))) {
      if (!namePattern.test(name)) continue;
      const files = await readdir(toPath(toInner(place, name)));
      found.set(name, files.includes(MANIFEST));
    }
    return found;
  }
  using objects = await openPlace(place, config);
  for await (const key of objects.listKeys()) {
    const [name = "", file] = key.split("/", 2);
    if (namePattern.test(name)) found.set(name, file === MANIFEST || found.get(name) === true);
  }
  return found;
}

/** Removes the manifest first, so that an interrupted removal leaves an incomplete backup. */
async function removeBackup(place: string, config: Pick<Config, "s3">): Promise<void> {
  if (!isBucket(place)) {
    await rm(toPath(toInner(place, MANIFEST)), { force: true });
    return rm(toPath(place), { recursive: true });
  }
  using objects = await openPlace(place, config);
  await objects.deleteObject(MANIFEST);
  for await (const key of objects.listKeys()) await objects.deleteObject(key);
}

function toTime(name: string): number {
  return Date.parse(name.replace(namePattern, "$1T$2:$3:$4Z"));
}
