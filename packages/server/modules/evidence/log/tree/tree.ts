import { HASH_BYTES, emptyRoot, hashLeaves, hashNode, hashRow } from "./hashes.ts";

/** Hashes in a full tile (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;
const TILE_BYTES = TILE_WIDTH * HASH_BYTES;

/** A tile: hashes of its level from `index * 256` on, 32 bytes each. */
export interface Tile {
  level: number;
  index: number;
  hashes: Buffer;
}

/** The right edge of a tree: for each level the hashes that do not fill a tile yet. */
export interface Edge {
  size: number;
  levels: readonly Buffer[];
}

export const emptyEdge: Edge = { size: 0, levels: [] };

/**
 * Adds entries to a tree. Answers its new right edge and every tile that changed, whole or not; one
 * that was filled on the way is among them once.
 */
export function appendEntries(
  edge: Edge,
  entries: readonly Uint8Array[],
): { edge: Edge; tiles: Tile[] } {
  const tiles: Tile[] = [];
  const levels: Buffer[] = [];
  let added: readonly Buffer[] = entries.length > 0 ? [hashLeaves(entries)] : [];
  for (let level = 0; added.length > 0 || level < edge.levels.length; level += 1) {
    const before = edge.levels[level] ?? Buffer.alloc(0);
    const row = Buffer.concat([before, ...added]);
    const first = Math.floor(edge.size / TILE_WIDTH ** (level + 1));
    const full = Math.floor(row.length / TILE_BYTES);
    const rest = row.subarray(full * TILE_BYTES);
    const filled = Array.from({ length: full }, (_, at) =>
      row.subarray(at * TILE_BYTES, (at + 1) * TILE_BYTES),
    );
    for (const [at, hashes] of filled.entries()) tiles.push({ level, index: first + at, hashes });
    if (rest.length > 0 && added.length > 0)
      tiles.push({ level, index: first + full, hashes: rest });
    levels.push(rest);
    added = filled.map(hashRow);
  }
  return { edge: { size: edge.size + entries.length, levels }, tiles };
}

/** The root of the tree with this right edge (RFC 9162, section 2.1.1). */
export function rootOf({ levels }: Edge): Buffer {
  let root: Buffer | undefined;
  for (const row of levels) {
    if (row.length === 0) continue;
    // What lies lower lies further right, and is smaller than each whole subtree before it.
    root = root ? hashBefore(row, root) : hashRow(row);
  }
  return root ?? emptyRoot;
}

/** The root over a row of whole subtrees with a smaller one behind it. */
function hashBefore(row: Buffer, behind: Buffer): Buffer {
  let root = behind;
  let end = row.length / HASH_BYTES;
  // The whole subtrees of a row are its binary digits; the lowest is the last.
  for (let width = 1; end > 0; width *= 2) {
    if (end % (width * 2) === 0) continue;
    const subtree = row.subarray((end - width) * HASH_BYTES, end * HASH_BYTES);
    root = hashNode(hashRow(subtree), root);
    end -= width;
  }
  return root;
}

/** Where each level's unfinished tile of a tree of `size` lies, and how many hashes it has. */
export function edgeTiles(size: number): { level: number; index: number; width: number }[] {
  const tiles = [];
  for (let level = 0, count = size; count > 0; level += 1) {
    const width = count % TILE_WIDTH;
    const index = Math.floor(count / TILE_WIDTH);
    tiles.push({ level, index, width });
    count = index;
  }
  return tiles;
}
