// Merkle trees as RFC 9162 defines them, recursively over whole lists of entries, with Node's own
// cryptography: slow, short, and independent of the code under test.
import { hash } from "node:crypto";

function HASH(...parts: Uint8Array[]): Buffer {
  return hash("sha256", Buffer.concat(parts), "buffer");
}

/** The largest power of two smaller than n. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** MTH (section 2.1.1) */
export function MTH(D: readonly Uint8Array[]): Buffer {
  const [entry, ...more] = D;
  if (!entry) return HASH();
  if (more.length === 0) return HASH(Buffer.of(0x00), entry);
  const k = split(D.length);
  return HASH(Buffer.of(0x01), MTH(D.slice(0, k)), MTH(D.slice(k)));
}

/** PATH (section 2.1.3.1) */
export function PATH(m: number, D: readonly Uint8Array[]): Buffer[] {
  const n = D.length;
  if (n <= 1) return [];
  const k = split(n);
  return m < k
    ? [...PATH(m, D.slice(0, k)), MTH(D.slice(k))]
    : [...PATH(m - k, D.slice(k)), MTH(D.slice(0, k))];
}

/** PROOF (section 2.1.4.1) */
export function PROOF(m: number, D: readonly Uint8Array[]): Buffer[] {
  return SUBPROOF(m, D, true);
}

function SUBPROOF(m: number, D: readonly Uint8Array[], b: boolean): Buffer[] {
  const n = D.length;
  if (m === n) return b ? [] : [MTH(D)];
  const k = split(n);
  return m <= k
    ? [...SUBPROOF(m, D.slice(0, k), b), MTH(D.slice(k))]
    : [...SUBPROOF(m - k, D.slice(k), false), MTH(D.slice(0, k))];
}

/**
 * The roots of the trees of m and n leaves that PROOF(m, D[n]) yields: SUBPROOF read backwards. `first` is
 * the root of the first tree, for proofs that omit it. Consumes `proof`.
 */
export function ROOTS(
  m: number,
  n: number,
  { proof, first, b = true }: { proof: Buffer[]; first: Buffer; b?: boolean },
): [Buffer, Buffer] {
  const take = (): Buffer => proof.shift() ?? Buffer.alloc(0);
  if (m === n) {
    const root = b ? first : take();
    return [root, root];
  }
  const k = split(n);
  if (m <= k) {
    const [older, left] = ROOTS(m, k, { proof, first, b });
    return [older, HASH(Buffer.of(0x01), left, take())];
  }
  const [older, newer] = ROOTS(m - k, n - k, { proof, first, b: false });
  const left = take();
  return [HASH(Buffer.of(0x01), left, older), HASH(Buffer.of(0x01), left, newer)];
}
