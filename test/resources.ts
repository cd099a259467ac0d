const opened = new AsyncDisposableStack();
const resets: (() => void)[] = [];

/** Keeps a resource open for all test files of this process; disposed in the reverse order. */
export function keepOpen(resource: AsyncDisposable): void {
  opened.use(resource);
}

/** Registers a reset of a file's changes to a shared resource, so that the next file does not see them. */
export function resetAfterFile(reset: () => void): void {
  resets.push(reset);
}

/** Called after each file. */
export function resetResources(): void {
  for (const reset of resets) reset();
}

/** Called once, after the last file. */
export function closeResources(): Promise<void> {
  return opened.disposeAsync();
}
