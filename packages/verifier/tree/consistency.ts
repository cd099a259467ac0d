import { areEqual } from "../formats/bytes.ts";
import { halve, hashEmptyTree, hashNode, isOdd } from "./merkle.ts";

/** The size and root of a tree, as in a checkpoint. */
export interface Head {
  size: number;
  root: Uint8Array;
}

/**
 * Whether the second tree extends the first (RFC 9162, section 2.1.4.2, step by step). Trees of the same size are
 * consistent if their roots are equal, and every tree extends the empty one; both with an empty path.
 */
export async function verifyConsistency(
  first: Head,
  second: Head,
  path: readonly Uint8Array[],
): Promise<boolean> {
  if (first.size > second.size) return false;
  if (first.size === second.size) return path.length === 0 && areEqual(first.root, second.root);
  if (first.size === 0) return path.length === 0 && areEqual(first.root, await hashEmptyTree());
  if (path.length === 0) return false;
  const [seed, ...rest] = isPowerOf2(first.size) ? [first.root, ...path] : path;
  if (!seed) return false;
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (isOdd(fn)) [fn, sn] = [halve(fn), halve(sn)];
  let [fr, sr] = [seed, seed];
  for (const c of rest) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      [fr, sr] = [await hashNode(c, fr), await hashNode(c, sr)];
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [halve(fn), halve(sn)];
    } else {
      sr = await hashNode(sr, c);
    }
    [fn, sn] = [halve(fn), halve(sn)];
  }
  return sn === 0 && areEqual(fr, first.root) && areEqual(sr, second.root);
}

function isPowerOf2(n: number): boolean {
  let odd = n;
  while (odd > 0 && !isOdd(odd)) odd = halve(odd);
  return odd === 1;
}
