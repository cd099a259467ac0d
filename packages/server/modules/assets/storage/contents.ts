import type { Tx } from "../../../platform/db/db.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { ASSET_FOLDER, renderTypes, toAssetKey } from "../formats/tasks.ts";
import { type RenderRow, deleteOldRenders } from "./renders-store.ts";
import { findAssetWith, lockContent } from "./store.ts";

/** The queue that takes contents out of storage which no asset has any more. */
export const REMOVAL_QUEUE = "asset-removal";
export interface Removal {
  sha256: string;
  type: string;
}

/** What is under an address with a hash in it never changes. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
const BATCH = 500;

/** A file on this machine's disk that is to be kept under its hash. */
export interface Content extends Removal {
  path: string;
  size: number;
}

/** Puts a content into storage, unless it is there. */
export async function putContent(
  objects: Pick<Objects, "findObject" | "putFile">,
  { path, size, sha256, type }: Content,
): Promise<void> {
  const key = toAssetKey({ sha256, type });
  if (await objects.findObject(key)) return;
  await objects.putFile({ key, path, sizeBytes: size, contentType: type, cacheControl: IMMUTABLE });
}

/** Where a render is kept: under what it is made of, and how. */
export function toRenderKey({ sha256, digest, type }: RenderRow): string {
  const format = Object.entries(renderTypes).find(([, one]) => one === type)?.[0] ?? "bin";
  return `${ASSET_FOLDER}${sha256}/${digest}.${format}`;
}

/** Takes a content and all that was made of it out of storage, unless an asset has it (again). */
export async function removeUnused(
  tx: Tx,
  objects: Pick<Objects, "deleteObject">,
  content: Removal,
): Promise<void> {
  const { sha256 } = content;
  await lockContent(tx, sha256);
  if (await findAssetWith(tx, sha256)) return;
  await objects.deleteObject(toAssetKey(content));
  for (;;) {
    const renders = await deleteOldRenders(tx, { sha256, kept: 0, max: BATCH });
    for (const render of renders) await objects.deleteObject(toRenderKey(render));
    if (renders.length < BATCH) return;
  }
}
