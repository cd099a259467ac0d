import type { DataDb } from "../../../platform/db/db.ts";
import { HASH_BYTES, TILE_WIDTH } from "@avow/contract/merkle";
import { type ReadTile } from "../log/tree/paths.ts";
import type { CommittedLeaf } from "./prover.ts";
import type { JsonObject } from "@avow/contract/json";
import { toCanonical, toEntry } from "../log/tree/entry.ts";
import { ENTRIES_LEVEL } from "../log/tree/tile-path.ts";
import { readTile } from "../log/tiles.ts";

/**
 * Whether a record with its salt hashes to the log entry at its leaf. False if the record, or a fact that it refers
 * to, was changed after it was sequenced.
 */
export async function isCommitted(
  read: ReadTile,
  record: JsonObject,
  { leaf, salt }: CommittedLeaf,
): Promise<boolean> {
  const at = leaf % TILE_WIDTH;
  const index = Math.floor(leaf / TILE_WIDTH);
  const entries = await read({ level: ENTRIES_LEVEL, index, width: at + 1 });
  return toEntry(toCanonical(record), salt).equals(
    entries.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** The same for a single record: reads one tile. */
export function findCommitted(
  db: DataDb,
  record: JsonObject,
  place: CommittedLeaf,
): Promise<boolean> {
  return isCommitted((tile) => readTile(db, tile), record, place);
}
