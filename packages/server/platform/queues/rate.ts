import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;
const KEYS_MAX = 10_000;

/** Counts what is asked under a name, in this process, for a minute from the first time on. */
export interface Rate {
  /** Whether it may be asked once more. */
  take(name: string): boolean;
}

/** Opens a rate of `max` times a minute; of so many names at most, those that were asked for last. */
export function openRate(max: number): Rate {
  const counts = new LRUCache<string, { count: number }>({ max: KEYS_MAX, ttl: WINDOW_MS });
  return {
    take(name) {
      const known = counts.get(name);
      if (!known) counts.set(name, { count: 1 });
      else known.count += 1;
      return (known?.count ?? 1) <= max;
    },
  };
}
