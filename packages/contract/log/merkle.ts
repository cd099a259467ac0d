// Merkle trees (RFC 9162, section 2.1) in tiles of 256 hashes (C2SP tlog-tiles), as the server builds them and the
// command line rebuilds them. The verifier has its own, on purpose.

export const HASH_BYTES = 32;
/** Hashes in a full tile. */
export const TILE_WIDTH = 256;
const TILE_BYTES = TILE_WIDTH * HASH_BYTES;

/** SHA-256 as 32 Latin-1 characters: Node returns a string three times as fast as a buffer. */
export type Sha256 = (bytes: Uint8Array) => string;

/** Up to 256 hashes of one level, from number `index * 256` on. */
export interface Tile {
  level: number;
  index: number;
  hashes: Uint8Array;
}

/** The right edge of a tree: for each level, the hashes of its unfinished tile. */
export interface Edge {
  size: number;
  levels: readonly Uint8Array[];
}

export const emptyEdge: Edge = { size: 0, levels: [] };

export interface Merkle {
  /** The root of a tree without leaves. */
  emptyRoot: Uint8Array;
  hashLeaf: (entry: Uint8Array) => Uint8Array;
  hashNode: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** The root over a row of at least one hash: the roots of complete subtrees of one size, in order. */
  hashRow: (row: Uint8Array) => Uint8Array;
  /** Appends entries to a tree. Returns its new edge and each tile that changed, once, finished or not. */
  appendEntries: (edge: Edge, entries: readonly Uint8Array[]) => { edge: Edge; tiles: Tile[] };
  rootOf: (edge: Edge) => Uint8Array;
}

export function createMerkle(sha256: Sha256): Merkle {
  const emptyRoot = new Uint8Array(HASH_BYTES);
  write(emptyRoot, 0, sha256(new Uint8Array()));
  // Buffers are reused: allocating one for each hash would cost more than the hash.
  const leaf = new Uint8Array(1 + HASH_BYTES);
  const node = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1);

  const hashLeafInto = (row: Uint8Array, at: number, entry: Uint8Array): void => {
    const bytes = entry.length === HASH_BYTES ? leaf : new Uint8Array(1 + entry.length);
    bytes.set(entry, 1);
    write(row, at, sha256(bytes));
  };
  const hashLeaf = (entry: Uint8Array): Uint8Array => {
    const hash = new Uint8Array(HASH_BYTES);
    hashLeafInto(hash, 0, entry);
    return hash;
  };
  const hashNode = (left: Uint8Array, right: Uint8Array): Uint8Array => {
    node.set(left, 1);
    node.set(right, 1 + HASH_BYTES);
    const hash = new Uint8Array(HASH_BYTES);
    write(hash, 0, sha256(node));
    return hash;
  };
  const hashRow = (row: Uint8Array): Uint8Array => {
    const count = row.length / HASH_BYTES;
    const half = 2 ** Math.floor(Math.log2(count - 1));
    if (count > 1 && half * 2 !== count)
      return hashNode(
        hashRow(row.subarray(0, half * HASH_BYTES)),
        hashRow(row.subarray(half * HASH_BYTES)),
      );
    const level = Uint8Array.from(row);
    for (let width = count; width > 1; width /= 2)
      for (let at = 0; at < width; at += 2) {
        node.set(level.subarray(at * HASH_BYTES, (at + 2) * HASH_BYTES), 1);
        write(level, (at / 2) * HASH_BYTES, sha256(node));
      }
    return level.subarray(0, HASH_BYTES);
  };
  /** The root over a row of complete subtrees, followed by a smaller one. */
  const hashBefore = (row: Uint8Array, last: Uint8Array): Uint8Array => {
    let root = last;
    let end = row.length / HASH_BYTES;
    // The complete subtrees of a row are the binary digits of its length, the lowest last.
    for (let width = 1; end > 0; width *= 2) {
      if (end % (width * 2) === 0) continue;
      const subtree = row.subarray((end - width) * HASH_BYTES, end * HASH_BYTES);
      root = hashNode(hashRow(subtree), root);
      end -= width;
    }
    return root;
  };
  return {
    emptyRoot,
    hashLeaf,
    hashNode,
    hashRow,
    appendEntries(edge, entries) {
      const tiles: Tile[] = [];
      const levels: Uint8Array[] = [];
      const leaves = new Uint8Array(entries.length * HASH_BYTES);
      for (const [at, entry] of entries.entries()) hashLeafInto(leaves, at * HASH_BYTES, entry);
      let added = leaves;
      for (let level = 0; added.length > 0 || level < edge.levels.length; level += 1) {
        const row = concat(edge.levels[level] ?? new Uint8Array(), added);
        const first = Math.floor(edge.size / TILE_WIDTH ** (level + 1));
        const full = Math.floor(row.length / TILE_BYTES);
        const rest = row.subarray(full * TILE_BYTES);
        const filled = Array.from({ length: full }, (_, at) =>
          row.subarray(at * TILE_BYTES, (at + 1) * TILE_BYTES),
        );
        for (const [at, hashes] of filled.entries())
          tiles.push({ level, index: first + at, hashes });
        if (rest.length > 0 && added.length > 0)
          tiles.push({ level, index: first + full, hashes: rest });
        levels.push(rest);
        added = concat(...filled.map(hashRow));
      }
      return { edge: { size: edge.size + entries.length, levels }, tiles };
    },
    rootOf({ levels }) {
      let root: Uint8Array | undefined;
      for (const row of levels) {
        if (row.length === 0) continue;
        // Lower levels are further right, and smaller than each complete subtree before them.
        root = root ? hashBefore(row, root) : hashRow(row);
      }
      return root ?? emptyRoot;
    },
  };
}

function write(target: Uint8Array, at: number, latin1: string): void {
  for (let n = 0; n < HASH_BYTES; n += 1) target[at + n] = latin1.charCodeAt(n);
}

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
