/**
 * The value of a promise, or `otherwise` when it fails or takes too long: calls into a page whose script never ends have
 * no timeout of their own.
 */
export async function within<T>(ms: number, value: Promise<T>, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(otherwise), ms);
  value.then(resolve, () => resolve(otherwise));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
