import { join } from "node:path";
import type { EvidenceOptions } from "./evidence.ts";
import { copyAssets, listPublicAssets } from "../modules/assets/assets.ts";
import { openPictures } from "../modules/assets/child/pool.ts";
import { openRenders } from "../modules/assets/renders/renders.ts";
import { openSpool } from "../modules/assets/storage/spool.ts";
import { openImportFiles } from "../modules/consents/imports/files.ts";
import { openStorage } from "../modules/consents/imports/storage.ts";
import { openCommit } from "../modules/evidence/log/sequence/commitments.ts";
import { findAssetUses } from "../modules/vault/documents/references.ts";
import type { TransferFiles } from "../modules/vault/transfers/contents.ts";
import { readSpareBytes } from "../platform/disk-space.ts";
import type { Objects } from "../platform/objects/objects.ts";

/** Opens assets. Uploads stay on this machine's disk until they are in storage. */
export async function openAssets<S extends Pick<EvidenceOptions, "db" | "config" | "now" | "log">>(
  opened: AsyncDisposableStack,
  shared: S & { objects: Objects; processes: number },
) {
  const { dataDir, diskReserveBytes } = shared.config;
  const { userBytesMax } = shared.config.assets;
  const folder = join(dataDir, "uploads");
  const readSpare = () => readSpareBytes(folder, diskReserveBytes);
  const spool = await openSpool({ folder, readSpareBytes: readSpare });
  const pictures = opened.use(openPictures({ processes: shared.processes }));
  const renders = openRenders({ ...shared, pictures, spool });
  return { ...shared, pictures, spool, renders, findUses: findAssetUses, userBytesMax };
}

/** Opens imports. Uploads are limited by the free space of their disk. */
export async function openImports({
  config,
  buckets,
  facts,
  log,
}: Pick<EvidenceOptions, "config" | "buckets" | "facts" | "log">) {
  const { dataDir, diskReserveBytes, imports } = config;
  const { waitingMax, storedBytesMax } = imports;
  // The limit of one user.
  const bytesMax = Math.min(imports.bytesMax, Math.floor(storedBytesMax / 2));
  const folder = join(dataDir, "imports");
  const readSpare = () => readSpareBytes(folder, diskReserveBytes);
  const files = await openImportFiles(folder, { bytesMax, readSpareBytes: readSpare });
  const storage = openStorage(storedBytesMax, log);
  return { files, waitingMax, storage, commit: openCommit(buckets, facts) };
}

/** The files that are copied when a project goes to another organization. */
export const transferFiles: TransferFiles = {
  listIds: async (db, ids) => (await listPublicAssets(db, ids)).map(({ id }) => id),
  copy: copyAssets,
};
