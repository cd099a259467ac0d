const opened = new AsyncDisposableStack();

/** Keeps a resource open for all test files of this process; disposed in the reverse order. */
export function keepOpen(resource: AsyncDisposable): void {
  opened.use(resource);
}

/** Called once, after the last file. */
export function closeResources(): Promise<void> {
  return opened.disposeAsync();
}
