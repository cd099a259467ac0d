import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;
const KEYS_MAX = 10_000;

/** Counts requests by name on this node, for a minute from the first one. */
export interface Rate {
  /** Counts a request. False beyond the limit. */
  take(name: string): boolean;
  /** Whether the limit is reached. */
  isFull(name: string): boolean;
}

/** Opens the rate limit with this name, of `max` requests a minute, which keeps the 10,000 most recent names. */
export type OpenRate = (limit: string, max: number) => Rate;

/** Requests that one process counted, by the limit and the name. */
export interface CountedRequests {
  limit: string;
  name: string;
  count: number;
}

/** The counts of the other processes on this machine. */
export interface RateExchange {
  publishRequest(limit: string, name: string): void;
  onRequests(listener: (counted: CountedRequests) => void): void;
}

/**
 * Opens the rate limits of this process, or of all processes that share the exchange: each counts its requests and, a few
 * milliseconds later, those of the others.
 */
export function openRates(exchange?: RateExchange): OpenRate {
  const limits = new Map<string, LRUCache<string, { count: number }>>();
  const add = (limit: string, name: string, count: number): number => {
    const counts = limits.get(limit);
    const known = counts?.get(name);
    if (known) return (known.count += count);
    counts?.set(name, { count });
    return count;
  };
  exchange?.onRequests(({ limit, name, count }) => void add(limit, name, count));
  return (limit, max) => {
    if (limits.has(limit)) throw new Error(`there are two limits of ${limit}`);
    const counts = new LRUCache<string, { count: number }>({ max: KEYS_MAX, ttl: WINDOW_MS });
    limits.set(limit, counts);
    return {
      take(name) {
        const isAllowed = add(limit, name, 1) <= max;
        // A request beyond the limit changes nothing for the others.
        if (isAllowed) exchange?.publishRequest(limit, name);
        return isAllowed;
      },
      isFull: (name) => (counts.get(name)?.count ?? 0) >= max,
    };
  };
}
