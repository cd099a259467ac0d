import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Fault } from "../../../platform/errors.ts";
import type { Objects, OpenedObject } from "../../../platform/objects/objects.ts";
import { toAssetKey } from "../formats/tasks.ts";
import { IMMUTABLE } from "./contents.ts";
import type { Spool } from "./spool.ts";

interface Copying {
  objects: Objects;
  spool: Spool;
}

/**
 * Copies the object that `open` returns to a key that contains its hash, unless it exists.
 * @throws Fault busy when there is no object, because it is being removed
 */
export async function copyObject(
  { objects, spool }: Copying,
  key: string,
  open: () => Promise<OpenedObject | undefined>,
): Promise<void> {
  if (await objects.findObject(key)) return;
  const object = await open();
  if (!object) throw new Fault("busy", "An uploaded file is being removed.");
  await using scratch = spool.openScratch();
  const path = scratch.newPath();
  await pipeline(object.body, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  const { contentType, sizeBytes } = object;
  await objects.putFile({ key, path, sizeBytes, contentType, cacheControl: IMMUTABLE });
}

export function openContent(
  { objects }: Pick<Copying, "objects">,
  asset: { sha256: string; type: string },
): Promise<OpenedObject | undefined> {
  return objects.openObject(toAssetKey(asset));
}
