import { hash } from "node:crypto";

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32;

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** SHA-256. By way of a string: a buffer that Node makes for each hash costs three times the hash itself. */
export function sha256(bytes: Uint8Array): Buffer {
  return Buffer.from(hash("sha256", bytes, "latin1"), "latin1");
}

/** The hash of a leaf (RFC 9162, section 2.1.1). */
export function hashLeaf(entry: Uint8Array): Buffer {
  return sha256(Buffer.concat([LEAF, entry]));
}

/** The hash of an inner node (RFC 9162, section 2.1.1). */
export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([NODE, left, right]));
}

/** The root of a tree without leaves. */
export const emptyRoot = sha256(Buffer.alloc(0));

/** Where a leaf or a node is put together to be hashed: a buffer for each would cost more than its hash. */
const leaf = Buffer.alloc(1 + HASH_BYTES, 0);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** The hashes of leaves, one after the other. */
export function hashLeaves(entries: readonly Uint8Array[]): Buffer {
  const row = Buffer.allocUnsafe(entries.length * HASH_BYTES);
  for (const [at, entry] of entries.entries()) {
    if (entry.length === HASH_BYTES) {
      leaf.set(entry, 1);
      row.write(hash("sha256", leaf, "latin1"), at * HASH_BYTES, "latin1");
    } else row.set(hashLeaf(entry), at * HASH_BYTES);
  }
  return row;
}

/** The root over some hashes of one level, which are not empty: those of whole subtrees, in order. */
export function hashRow(row: Uint8Array): Buffer {
  const count = row.length / HASH_BYTES;
  const half = 2 ** Math.floor(Math.log2(count - 1));
  if (count > 1 && half * 2 !== count)
    return hashNode(
      hashRow(row.subarray(0, half * HASH_BYTES)),
      hashRow(row.subarray(half * HASH_BYTES)),
    );
  const level = Buffer.from(row);
  for (let width = count; width > 1; width /= 2)
    for (let at = 0; at < width; at += 2) {
      level.copy(node, 1, at * HASH_BYTES, (at + 2) * HASH_BYTES);
      level.write(hash("sha256", node, "latin1"), (at / 2) * HASH_BYTES, "latin1");
    }
  return level.subarray(0, HASH_BYTES);
}
