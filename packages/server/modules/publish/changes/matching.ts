import canonicalize from "canonicalize";
import { readObject, readText } from "@avow/contract/json";

/** Which item of an earlier list is which of a later one, by their places. */
export interface Matched {
  /** Sorted by the later place. */
  pairs: [from: number, to: number][];
  removed: number[];
  added: number[];
  /** Later places of what stands elsewhere among its neighbours than before: the fewest that explain the order. */
  moved: Set<number>;
}

/** Fields that say which item of a list one is, the best first. */
const identifying = ["identifier", "id", "name", "key", "language", "value", "title", "text"];

/** What says which item of a list one is; empty where nothing does. */
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

/** What says which item one is; where the item does not, its place in the earlier or later list may. */
type KeyOf = (item: unknown, place: number, side: "earlier" | "later") => string | undefined;

/**
 * Finds the items of one list in another by `keyOf`. Of several with one key those that are the same are
 * each other, then the first is the first. With `isRenamed`, what is left over is found by all but its
 * `name`, then by its title. Linear in the lists, but for the order (n log n).
 */
export function matchItems(
  before: readonly unknown[],
  after: readonly unknown[],
  keyOf: KeyOf,
  isRenamed = false,
): Matched {
  const later: Open = { side: "later", items: after, open: new Set(after.keys()) };
  const earlier: Open = { side: "earlier", items: before, open: new Set(before.keys()) };
  const pairs: [number, number][] = [];
  const rounds = [keyOf, ...(isRenamed ? [withoutName, ownTitle] : [])];
  for (const key of rounds) pairs.push(...matchBy(earlier, later, key));
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
  const waiting = groupBy(earlier, keyOf);
  return [...groupBy(later, keyOf)].flatMap(([key, places]) => {
    const known = waiting.get(key) ?? [];
    const same =
      known.length > 1 || places.length > 1
        ? matchSame(earlier.items, later.items, known, places)
        : [];
    const rest = [known, places].map((list, side) => {
      const taken = new Set(same.map((pair) => pair[side]));
      return list.filter((place) => !taken.has(place));
    });
    const [from = [], to = []] = rest;
    const pairs = [
      ...same,
      ...to.slice(0, from.length).map((place, at): [number, number] => [from[at] ?? 0, place]),
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
  for (const place of open) {
    const key = keyOf(items[place], place, side);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return groups;
}

function matchSame(
  before: readonly unknown[],
  after: readonly unknown[],
  known: readonly number[],
  places: readonly number[],
): [number, number][] {
  const texts = new Map<string, number[]>();
  // The last first, since they are taken from the end.
  for (const place of known.toReversed()) {
    const text = toText(before[place]);
    const group = texts.get(text);
    if (group) group.push(place);
    else texts.set(text, [place]);
  }
  return places.flatMap((place): [number, number][] => {
    const from = texts.get(toText(after[place]))?.pop();
    return from === undefined ? [] : [[from, place]];
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
 * Later places of all but the longest run of pairs whose earlier places rise: what is in it stands where it
 * stood among its neighbours. The pairs are sorted by their later places.
 */
export function findMoved(pairs: readonly (readonly [from: number, to: number])[]): Set<number> {
  // Patience sorting: of each length, the pair that the run with the smallest end ends with.
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
