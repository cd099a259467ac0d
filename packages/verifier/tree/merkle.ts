// Hashing of RFC 9162, section 2.1.1 (as in RFC 6962): a prefix distinguishes leaves from nodes.
import { type Bytes, sha256 } from "../formats/bytes.ts";

const leafPrefix = Uint8Array.of(0x00);
const nodePrefix = Uint8Array.of(0x01);

/** `HASH(0x00 || entry)` */
export function hashLeaf(entry: Uint8Array): Promise<Bytes> {
  return sha256(leafPrefix, entry);
}

/** `HASH(0x01 || left || right)` */
export function hashNode(left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  return sha256(nodePrefix, left, right);
}

/** The root of a tree without leaves: `HASH()`. */
export function hashEmptyTree(): Promise<Bytes> {
  return sha256();
}

// Indices go up to 2^53, so JavaScript's 32-bit shifts cannot be used.

/** LSB(n) */
export function isOdd(n: number): boolean {
  return n % 2 === 1;
}

/** n >> 1 */
export function halve(n: number): number {
  return Math.floor(n / 2);
}
