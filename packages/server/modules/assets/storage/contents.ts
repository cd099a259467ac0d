import type { Tx } from "../../../platform/db/db.ts";
import type { Objects } from "../../../platform/objects/objects.ts";
import { ASSET_FOLDER, renderTypes, toAssetKey } from "../formats/tasks.ts";
import { type RenderRow, deleteOldRenders } from "./renders-store.ts";
import { findAssetWith, lockContent } from "./store.ts";

/** The queue that removes unused contents from storage. */
export const REMOVAL_QUEUE = "asset-removal";
export interface Removal {
  sha256: string;
  type: string;
}

/** Cache-Control of addresses that contain a hash. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
const BATCH = 500;

/** A local file to be stored under its hash. */
export interface Content extends Removal {
  path: string;
  size: number;
}

/** Stores a content unless it exists. */
export async function putContent(
  objects: Pick<Objects, "findObject" | "putFile">,
  { path, size, sha256, type }: Content,
): Promise<void> {
  const key = toAssetKey({ sha256, type });
  if (await objects.findObject(key)) return;
  await objects.putFile({ key, path, sizeBytes: size, contentType: type, cacheControl: IMMUTABLE });
}

/** The storage key of a render: its content's hash and its parameters' digest. */
export function toRenderKey({ sha256, digest, type }: RenderRow): string {
  const format = Object.entries(renderTypes).find(([, one]) => one === type)?.[0] ?? "bin";
  return `${ASSET_FOLDER}${sha256}/${digest}.${format}`;
}

/** Removes a content and its renders from storage, unless an asset has it (again). */
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
