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

/** The root over some hashes of one level, which are not empty: those of whole subtrees, in order. */
export function hashRow(row: Uint8Array): Buffer {
  const count = row.length / HASH_BYTES;
  if (count === 1) return Buffer.from(row);
  const left = 2 ** Math.floor(Math.log2(count - 1)) * HASH_BYTES;
  return hashNode(hashRow(row.subarray(0, left)), hashRow(row.subarray(left)));
}
