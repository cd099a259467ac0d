import { hash } from "node:crypto";
import {
  type Edge,
  HASH_BYTES,
  type Tile as HashTile,
  TILE_WIDTH,
  createMerkle,
  emptyEdge,
} from "@avow/contract/merkle";
import { type Tile, countFullTiles } from "@avow/verifier/tiles";

const { appendEntries, rootOf } = createMerkle((bytes) => hash("sha256", bytes, "latin1"));

/** Tiles that are requested before they are needed. */
const READ_AHEAD = 12;
const WRONG_MAX = 20;

/** The tiles of a log. */
export interface TileSource {
  /** The hashes or the entries of a tile, one after the other: `width` times 32 bytes. */
  read: (tile: Tile) => Promise<Buffer>;
}

/** The tree that the entries of a log make. */
export interface RecomputedTree {
  /** The root at each requested size. */
  roots: ReadonlyMap<number, Uint8Array>;
  /** The entries at the requested indices. */
  entries: ReadonlyMap<number, Buffer>;
  /** The first tiles of hashes that differ from the entries'. */
  wrong: Tile[];
}

/**
 * Rebuilds the tree of `size` leaves from its entries and compares every tile of hashes. Memory holds one unfinished
 * tile of each level.
 */
export async function recomputeTree(
  source: TileSource,
  options: {
    size: number;
    /** At most `size` each. */
    rootsAt: readonly number[];
    entriesAt: readonly number[];
    onProgress: (leaves: number) => void;
  },
): Promise<RecomputedTree> {
  const { size } = options;
  const roots = new Map<number, Uint8Array>();
  if (options.rootsAt.includes(0)) roots.set(0, rootOf(emptyEdge));
  const entries = new Map<number, Buffer>();
  const wrong: Tile[] = [];
  const compare = ({ level, index, hashes }: HashTile, published: Buffer): void => {
    if (wrong.length < WRONG_MAX && !published.equals(hashes))
      wrong.push({ level, index, width: hashes.length / HASH_BYTES });
  };
  const toTile = (level: Tile["level"], index: number): Tile => ({
    level,
    index,
    width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH),
  });
  const read = (index: number) =>
    Promise.all([source.read(toTile("entries", index)), source.read(toTile(0, index))]);
  let edge: Edge = emptyEdge;
  for await (const [bundle, published] of readAhead(Math.ceil(size / TILE_WIDTH), read)) {
    const first = edge.size;
    const row = toRow(bundle);
    for (const at of options.entriesAt)
      if (at >= first && at < first + row.length) entries.set(at, row[at - first] ?? Buffer.of());
    for (const at of options.rootsAt)
      if (at > first && at <= first + row.length)
        roots.set(at, rootOf(appendEntries(edge, row.slice(0, at - first)).edge));
    const next = appendEntries(edge, row);
    for (const tile of next.tiles)
      if (tile.level === 0) compare(tile, published);
      else if (tile.hashes.length === TILE_WIDTH * HASH_BYTES)
        compare(tile, await source.read({ ...tile, width: TILE_WIDTH }));
    ({ edge } = next);
    options.onProgress(edge.size);
  }
  for (const [level, hashes] of edge.levels.entries())
    if (level > 0 && hashes.length > 0) {
      const tile = { level, index: countFullTiles(size, level), hashes };
      compare(tile, await source.read({ ...tile, width: hashes.length / HASH_BYTES }));
    }
  return { roots, entries, wrong };
}

function toRow(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** Reads 0 up to `count` in order; `READ_AHEAD` reads are started before they are needed. */
async function* readAhead<T>(
  count: number,
  read: (index: number) => Promise<T>,
): AsyncGenerator<T, void> {
  const waiting: Promise<T>[] = [];
  for (let index = 0; index < count || waiting.length > 0; index += 1) {
    if (index < count) {
      const one = read(index);
      // Thrown where it is awaited, unless another read fails first.
      one.catch(() => undefined);
      waiting.push(one);
      if (waiting.length <= READ_AHEAD) continue;
    }
    const next = waiting.shift();
    if (next) yield await next;
  }
}
