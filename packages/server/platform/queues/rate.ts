import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;
const KEYS_MAX = 10_000;

/** Counts requests by name in this process, for a minute from the first one. */
export interface Rate {
  /** Counts a request. False beyond the limit. */
  take(name: string): boolean;
  /** Whether the limit is reached. */
  isFull(name: string): boolean;
}

/** Opens a rate limit of `max` requests a minute, which keeps the 10,000 most recent names. */
export function openRate(max: number): Rate {
  const counts = new LRUCache<string, { count: number }>({ max: KEYS_MAX, ttl: WINDOW_MS });
  return {
    take(name) {
      const known = counts.get(name);
      if (!known) counts.set(name, { count: 1 });
      else known.count += 1;
      return (known?.count ?? 1) <= max;
    },
    isFull: (name) => (counts.get(name)?.count ?? 0) >= max,
  };
}
