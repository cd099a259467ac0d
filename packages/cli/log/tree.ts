import { hash } from "node:crypto";
import { TILE_WIDTH, type Tile, countFullTiles } from "@avow/verifier/tiles";

export const HASH_BYTES = 32;
/** Tiles that are asked for before they are needed. */
const AHEAD = 12;
const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** Where the tiles of a log come from. */
export interface TileSource {
  /** The hashes of a tile, or the entries, one after the other: `width` times 32 bytes. */
  read: (tile: Tile) => Promise<Buffer>;
}

/** What the entries of a log make. */
export interface Recomputed {
  /** The root at each size that was asked for. */
  roots: ReadonlyMap<number, Buffer>;
  /** The entries at the places that were asked for. */
  entries: ReadonlyMap<number, Buffer>;
  /** Tiles of hashes that are not what the entries make: the first of them. */
  wrong: Tile[];
}

/**
 * Makes the whole tree of `size` leaves again from its entries (RFC 9162, section 2.1.1), and compares
 * every tile of hashes with what it has to be. In memory is one unfinished tile of each level.
 */
export async function recomputeTree(
  source: TileSource,
  asked: {
    size: number;
    /** Sizes up to that. */
    rootsAt: readonly number[];
    entriesAt: readonly number[];
    onProgress: (leaves: number) => void;
  },
): Promise<Recomputed> {
  const { size } = asked;
  const roots = new Map<number, Buffer>();
  if (asked.rootsAt.includes(0)) roots.set(0, hash("sha256", Buffer.alloc(0), "buffer"));
  const entries = new Map<number, Buffer>();
  const wrong: Tile[] = [];
  const upper: Buffer[][] = [];
  const count = Math.ceil(size / TILE_WIDTH);
  const toTile = (level: Tile["level"], index: number): Tile => ({
    level,
    index,
    width: Math.min(TILE_WIDTH, size - index * TILE_WIDTH),
  });
  const read = (index: number) =>
    Promise.all([source.read(toTile("entries", index)), source.read(toTile(0, index))]);
  let index = 0;
  for await (const [bundle, hashes] of readAhead(count, read)) {
    const first = index * TILE_WIDTH;
    const row = toRow(bundle);
    for (const at of asked.entriesAt)
      if (at >= first && at < first + row.length) entries.set(at, row[at - first] ?? Buffer.of());
    const leaves = row.map((entry) => hash("sha256", Buffer.concat([LEAF, entry]), "buffer"));
    if (!Buffer.concat(leaves).equals(hashes)) note(wrong, toTile(0, index));
    for (const at of asked.rootsAt)
      if (at > first && at <= first + row.length)
        roots.set(at, toRoot(upper, leaves.slice(0, at - first)));
    if (row.length === TILE_WIDTH)
      await raise(source, { upper, wrong, level: 1, below: index }, toPeak(leaves));
    index += 1;
    asked.onProgress(first + row.length);
  }
  for (const [at, row] of upper.entries())
    if (row.length > 0)
      await compare(source, wrong, { level: at + 1, index: countFullTiles(size, at + 1), row });
  return { roots, entries, wrong };
}

/** Adds the root of a full tile to the level above; of a tile that this fills, to the next. */
async function raise(
  source: TileSource,
  at: { upper: Buffer[][]; wrong: Tile[]; level: number; below: number },
  root: Buffer,
): Promise<void> {
  const { upper, wrong, level, below } = at;
  const row = (upper[level - 1] ??= []);
  row.push(root);
  if (row.length < TILE_WIDTH) return;
  const index = Math.floor(below / TILE_WIDTH);
  await compare(source, wrong, { level, index, row });
  upper[level - 1] = [];
  await raise(source, { upper, wrong, level: level + 1, below: index }, toPeak(row));
}

async function compare(
  source: TileSource,
  wrong: Tile[],
  { level, index, row }: { level: number; index: number; row: readonly Buffer[] },
): Promise<void> {
  const tile = { level, index, width: row.length };
  if (!(await source.read(tile)).equals(Buffer.concat(row))) note(wrong, tile);
}

const WRONG_MAX = 20;

function note(wrong: Tile[], tile: Tile): void {
  if (wrong.length < WRONG_MAX) wrong.push(tile);
}

function toRow(bytes: Buffer): Buffer[] {
  return Array.from({ length: bytes.length / HASH_BYTES }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** The root over the hashes of unfinished tiles, the leaves' last: the whole subtrees from left to right. */
function toRoot(upper: readonly (readonly Buffer[])[], leaves: readonly Buffer[]): Buffer {
  const peaks = [leaves, ...upper].toReversed().flatMap(toPeaks);
  return peaks.reduceRight((right, left) => hashNode(left, right));
}

/** The roots of the whole subtrees of a row, the largest first. */
function toPeaks(row: readonly Buffer[]): Buffer[] {
  const peaks: Buffer[] = [];
  let at = 0;
  for (let width = TILE_WIDTH; width >= 1; width /= 2) {
    if (row.length - at < width) continue;
    peaks.push(toPeak(row.slice(at, at + width)));
    at += width;
  }
  return peaks;
}

/** The root over a row whose length is a power of two. */
function toPeak(row: readonly Buffer[]): Buffer {
  const [first = Buffer.of()] = row;
  if (row.length <= 1) return first;
  return toPeak(
    Array.from({ length: row.length / 2 }, (_, at) =>
      hashNode(row[2 * at] ?? first, row[2 * at + 1] ?? first),
    ),
  );
}

function hashNode(left: Buffer, right: Buffer): Buffer {
  return hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
}

/** What `read` answers for 0 up to `count`, in order; some are asked for before they are needed. */
async function* readAhead<T>(
  count: number,
  read: (index: number) => Promise<T>,
): AsyncGenerator<T, void> {
  const waiting: Promise<T>[] = [];
  for (let index = 0; index < count || waiting.length > 0; index += 1) {
    if (index < count) {
      const one = read(index);
      // Thrown where it is waited for, which another failure may come before.
      one.catch(() => undefined);
      waiting.push(one);
      if (waiting.length <= AHEAD) continue;
    }
    const next = waiting.shift();
    if (next) yield await next;
  }
}
