import canonicalize from "canonicalize";
import { readObject, readText } from "@avow/contract/json";

/** Pairs of items of an earlier and a later list, by their indexes. */
export interface Matches {
  /** Sorted by the later index. */
  pairs: [from: number, to: number][];
  removed: number[];
  added: number[];
  /** Later indexes of moved items: the smallest set that explains the new order. */
  moved: Set<number>;
}

/** Fields that can identify an item of a list, the best first. */
const identifying = ["identifier", "id", "name", "key", "language", "value", "title", "text"];

/** The key of an item in a list; empty if no field identifies it. */
export function identify(item: unknown): string {
  const fields = readObject(item);
  for (const name of identifying) {
    const value = fields[name];
    if ((typeof value === "string" && value !== "") || typeof value === "boolean")
      return `${name} ${value}`;
    if (typeof value === "number") return `${name} ${value}`;
  }
  return "";
}

/** Returns the key of an item, by the item itself or its index in the earlier or later list. */
type KeyOf = (item: unknown, index: number, side: "earlier" | "later") => string | undefined;

/**
 * Pairs the items of two lists by `keyOf`. Among several items with the same key, equal ones are paired
 * first, then the rest in order. With `isRenamed`, remaining items are paired by all fields except `name`,
 * then by title. Takes linear time apart from the order (n log n).
 */
export function matchItems(
  before: readonly unknown[],
  after: readonly unknown[],
  keyOf: KeyOf,
  isRenamed = false,
): Matches {
  const later: Open = { side: "later", items: after, open: new Set(after.keys()) };
  const earlier: Open = { side: "earlier", items: before, open: new Set(before.keys()) };
  const pairs: [number, number][] = [];
  const keys = [keyOf, ...(isRenamed ? [withoutName, ownTitle] : [])];
  for (const key of keys) pairs.push(...matchBy(earlier, later, key));
  pairs.sort(([, a], [, b]) => a - b);
  return {
    pairs,
    removed: [...earlier.open],
    added: [...later.open],
    moved: findMoved(pairs),
  };
}

interface Open {
  side: "earlier" | "later";
  items: readonly unknown[];
  open: Set<number>;
}

function matchBy(earlier: Open, later: Open, keyOf: KeyOf): [number, number][] {
  const groups = groupBy(earlier, keyOf);
  return [...groupBy(later, keyOf)].flatMap(([key, indexes]) => {
    const known = groups.get(key) ?? [];
    const same =
      known.length > 1 || indexes.length > 1
        ? matchSame(earlier.items, later.items, known, indexes)
        : [];
    const rest = [known, indexes].map((list, side) => {
      const taken = new Set(same.map((pair) => pair[side]));
      return list.filter((index) => !taken.has(index));
    });
    const [from = [], to = []] = rest;
    const pairs = [
      ...same,
      ...to.slice(0, from.length).map((index, at): [number, number] => [from[at] ?? 0, index]),
    ];
    for (const [one, other] of pairs) {
      earlier.open.delete(one);
      later.open.delete(other);
    }
    return pairs;
  });
}

function groupBy({ items, open, side }: Open, keyOf: KeyOf): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const index of open) {
    const key = keyOf(items[index], index, side);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  }
  return groups;
}

function matchSame(
  before: readonly unknown[],
  after: readonly unknown[],
  known: readonly number[],
  indexes: readonly number[],
): [number, number][] {
  const texts = new Map<string, number[]>();
  // In reverse, since they are popped from the end.
  for (const index of known.toReversed()) {
    const text = toText(before[index]);
    const group = texts.get(text);
    if (group) group.push(index);
    else texts.set(text, [index]);
  }
  return indexes.flatMap((index): [number, number][] => {
    const from = texts.get(toText(after[index]))?.pop();
    return from === undefined ? [] : [[from, index]];
  });
}

function toText(value: unknown): string {
  return canonicalize(value) ?? "";
}

function withoutName(item: unknown): string {
  const { name: _, ...rest } = readObject(item);
  return toText(rest);
}

function ownTitle(item: unknown): string | undefined {
  return readText(readObject(item)["title"]);
}

/**
 * The later indexes of all pairs outside the longest increasing subsequence of earlier indexes. Items in that
 * subsequence have kept their relative order. The pairs are sorted by their later indexes.
 */
export function findMoved(pairs: readonly (readonly [from: number, to: number])[]): Set<number> {
  // Patience sorting: for each length, the last pair of the subsequence with the smallest end.
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  pairs.forEach(([from], at) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[0] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? ends[low - 1] : undefined;
    ends[low] = at;
  });
  const stays = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) stays.add(at);
  return new Set(pairs.flatMap(([, to], at) => (stays.has(at) ? [] : [to])));
}
