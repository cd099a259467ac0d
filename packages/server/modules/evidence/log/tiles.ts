import type { DataDb, DataTx } from "../../../platform/db/db.ts";
import { HASH_BYTES } from "@avow/contract/merkle";
import { findTile } from "./store.ts";
import type { TileName } from "./tree/tile-path.ts";

/**
 * The first `width` hashes of a tile. Does not query the database if `width` is 0.
 * @throws Error if the log lacks them
 */
export async function readTile(
  db: DataDb | DataTx,
  { level, index, width }: TileName,
): Promise<Buffer> {
  const bytes = width * HASH_BYTES;
  const tile = width === 0 ? Buffer.alloc(0) : await findTile(db, { level, index });
  if (tile && tile.length >= bytes) return tile.subarray(0, bytes);
  throw new Error(`The log lacks hashes of tile ${index} of level ${level}.`);
}
