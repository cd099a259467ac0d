/** Tracks which leaves of a tree are accounted for. */
export interface Leaves {
  /** Marks a leaf as taken; false if it is marked already. */
  take: (leaf: number) => boolean;
  /** Marks a leaf as erased; returns 1 if it was not marked, else 0. */
  erase: (leaf: number) => 0 | 1;
  /** The ranges of leaves that are not marked. */
  listUnexplained: () => Iterable<{ first: number; last: number }>;
}

/** Keeps a bit for each leaf of a tree of `size`. Leaves beyond it are not tracked. */
export function openLeaves(size: number): Leaves {
  const bits = new Uint8Array(Math.ceil(size / 8));
  const has = (leaf: number): boolean =>
    ((bits[Math.floor(leaf / 8)] ?? 0) & (1 << (leaf % 8))) > 0;
  const mark = (leaf: number): boolean => {
    if (!Number.isSafeInteger(leaf) || leaf < 0) return false;
    if (leaf >= size) return true;
    if (has(leaf)) return false;
    bits[Math.floor(leaf / 8)] = (bits[Math.floor(leaf / 8)] ?? 0) | (1 << (leaf % 8));
    return true;
  };
  return {
    take: mark,
    erase: (leaf) => (leaf < size && mark(leaf) ? 1 : 0),
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
