import { HASH_BYTES, TILE_WIDTH } from "@avow/contract/merkle";
import { hashNode, hashRow } from "./merkle.ts";

/** Reads the first `width` hashes of a tile. */
export type ReadTile = (place: {
  level: number;
  index: number;
  width: number;
}) => Promise<Uint8Array>;

const TILE_HEIGHT = Math.log2(TILE_WIDTH);

/** A tree of `size` leaves, read from its tiles. */
interface Tree {
  size: number;
  readTile: ReadTile;
}

/**
 * The inclusion path of leaf `index` (RFC 9162, section 2.1.3.1), from the leaf up, each hash in base64.
 */
export async function proveInclusion(tree: Tree, index: number): Promise<string[]> {
  if (!(index >= 0 && index < tree.size)) throw new Error(`There is no leaf ${index}.`);
  const path: Uint8Array[] = [];
  let [begin, end] = [0, tree.size];
  while (end - begin > 1) {
    const middle = begin + splitOf(end - begin);
    if (index < middle) {
      path.push(await hashRange(tree, middle, end));
      end = middle;
    } else {
      path.push(await hashRange(tree, begin, middle));
      begin = middle;
    }
  }
  return path.toReversed().map(toBase64);
}

/** The consistency path from the tree of `from` leaves (RFC 9162, section 2.1.4.1), each hash in base64. */
export async function proveConsistency(tree: Tree, from: number): Promise<string[]> {
  if (!(from >= 0 && from <= tree.size)) throw new Error(`The tree has no ${from} leaves.`);
  if (from === 0 || from === tree.size) return [];
  const path: Uint8Array[] = [];
  let [begin, end] = [0, tree.size];
  // Whether the current subtree begins where the earlier tree did, so that the verifier knows its root.
  let isKnown = true;
  while (end > from) {
    const middle = begin + splitOf(end - begin);
    if (from <= middle) {
      path.push(await hashRange(tree, middle, end));
      end = middle;
    } else {
      path.push(await hashRange(tree, begin, middle));
      begin = middle;
      isKnown = false;
    }
  }
  if (!isKnown) path.push(await hashRange(tree, begin, end));
  return path.toReversed().map(toBase64);
}

function toBase64(hash: Uint8Array): string {
  return Buffer.from(hash).toString("base64");
}

/** The largest power of two below `count`, which is at least 2. */
function splitOf(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}

/** The root of the tree's subtree over the leaves from `begin` up to `end`. */
async function hashRange(tree: Tree, begin: number, end: number): Promise<Uint8Array> {
  const count = end - begin;
  const height = Math.log2(count);
  if (Number.isInteger(height)) return readSubtree(tree, begin / count, height);
  const middle = begin + splitOf(count);
  return hashNode(await hashRange(tree, begin, middle), await hashRange(tree, middle, end));
}

/** The root of the full subtree number `index` of 2 ** `height` leaves. */
async function readSubtree(tree: Tree, index: number, height: number): Promise<Uint8Array> {
  const level = Math.floor(height / TILE_HEIGHT);
  const width = 2 ** (height % TILE_HEIGHT);
  const first = index * width;
  const tile = Math.floor(first / TILE_WIDTH);
  const inLevel = Math.floor(tree.size / TILE_WIDTH ** level);
  const hashes = await tree.readTile({
    level,
    index: tile,
    width: Math.min(TILE_WIDTH, inLevel - tile * TILE_WIDTH),
  });
  const begin = (first - tile * TILE_WIDTH) * HASH_BYTES;
  return hashRow(hashes.subarray(begin, begin + width * HASH_BYTES));
}
