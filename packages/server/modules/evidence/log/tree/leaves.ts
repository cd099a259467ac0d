/** Which leaves of a tree are accounted for. */
export interface Leaves {
  /** False where something else has the leaf already. */
  take: (leaf: number) => boolean;
  /** Notes that what was at a leaf was erased; answers 1 for one that had nothing noted, else 0. */
  erase: (leaf: number) => 0 | 1;
  /** What is neither, each stretch of them once. */
  listUnexplained: () => Iterable<{ first: number; last: number }>;
}

/** Accounts for the leaves of a tree of `size`: a bit for each, and none for those that came later. */
export function openLeaves(size: number): Leaves {
  const bits = new Uint8Array(Math.ceil(size / 8));
  const has = (leaf: number): boolean =>
    ((bits[Math.floor(leaf / 8)] ?? 0) & (1 << (leaf % 8))) > 0;
  const note = (leaf: number): boolean => {
    if (!Number.isSafeInteger(leaf) || leaf < 0) return false;
    if (leaf >= size) return true;
    if (has(leaf)) return false;
    bits[Math.floor(leaf / 8)] = (bits[Math.floor(leaf / 8)] ?? 0) | (1 << (leaf % 8));
    return true;
  };
  return {
    take: note,
    erase: (leaf) => (leaf < size && note(leaf) ? 1 : 0),
    *listUnexplained() {
      let first: number | undefined;
      for (let leaf = 0; leaf <= size; leaf += 1) {
        const isOpen = leaf < size && !has(leaf);
        if (isOpen) first ??= leaf;
        else if (first !== undefined) {
          yield { first, last: leaf - 1 };
          first = undefined;
        }
      }
    },
  };
}
