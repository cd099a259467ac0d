/**
 * The same function, which makes what belongs to a key once, for all who ask meanwhile and after; what failed is made
 * again when it is next asked for. Of few keys: all that was made is kept.
 */
export function makeOnce<K, V>(make: (key: K) => Promise<V>): (key: K) => Promise<V> {
  const made = new Map<K, Promise<V>>();
  return (key) => {
    const known = made.get(key);
    if (known) return known;
    const making = make(key);
    made.set(key, making);
    // Who asked hears of it; only that it is forgotten is seen to here.
    making.catch(() => made.delete(key));
    return making;
  };
}
