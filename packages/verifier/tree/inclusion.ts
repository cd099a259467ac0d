import { type Bytes, areEqual } from "../formats/bytes.ts";
import { halve, hashNode, isOdd } from "./merkle.ts";

export interface Inclusion {
  /** The leaf's index, from 0. */
  index: number;
  /** The number of leaves of the tree. */
  size: number;
  leafHash: Uint8Array;
  /** Hashes from the leaf's sibling up to the root's child. */
  path: readonly Uint8Array[];
  root: Uint8Array;
}

/** Whether the leaf is in the tree at that index (RFC 9162, section 2.1.3.2, step by step). */
export async function verifyInclusion(proof: Inclusion): Promise<boolean> {
  const root = await toRoot(proof);
  return root !== undefined && areEqual(root, proof.root);
}

async function toRoot({ index, size, leafHash, path }: Inclusion): Promise<Bytes | undefined> {
  if (index >= size) return undefined;
  let [fn, sn] = [index, size - 1];
  let r: Bytes = new Uint8Array(leafHash);
  for (const p of path) {
    if (sn === 0) return undefined;
    if (isOdd(fn) || fn === sn) {
      r = await hashNode(p, r);
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [halve(fn), halve(sn)];
    } else {
      r = await hashNode(r, p);
    }
    [fn, sn] = [halve(fn), halve(sn)];
  }
  return sn === 0 ? r : undefined;
}
