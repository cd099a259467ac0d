/**
 * Memoizes an asynchronous function by key, also for concurrent callers. A failure is not cached. For few keys, since
 * nothing is evicted.
 */
export function memoize<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const known = made.get(key);
    if (known) return known;
    const making = make(key);
    made.set(key, making);
    // Only removes the entry; the caller gets the error.
    making.catch(() => made.delete(key));
    return making;
  };
}
