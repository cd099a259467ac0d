/** Asks a content network to forget paths, as one operation. */
export interface InvalidationIn {
  /** Absolute paths, `/` first: 1 to 1,000 of them. */
  paths: readonly string[];
  /** The same reference and paths are the same invalidation: a step that runs twice asks once. */
  reference: string;
}

/** What the content network answered: its id of the invalidation, and a note for people. */
export interface InvalidationOut {
  id: string;
  note: string;
}

/**
 * The content network in front of published files. Every driver passes
 * `test/conformance/cdn.test.ts`. Throws `CdnPathsError` for paths that are not.
 */
export interface Cdn {
  invalidatePaths(invalidation: InvalidationIn): Promise<InvalidationOut>;
}

export class CdnPathsError extends Error {
  override readonly name = "CdnPathsError";
}

const pathsMax = 1000;
const pathPattern = /^\/[\x21-\x7e]{0,1023}$/;

/** Throws `CdnPathsError` unless there are 1 to 1,000 absolute paths in printable ASCII. */
export function assertCdnPaths(paths: readonly string[]): void {
  if (paths.length === 0 || paths.length > pathsMax) {
    throw new CdnPathsError(`An invalidation takes 1 to ${pathsMax} paths, not ${paths.length}.`);
  }
  const wrong = paths.find((path) => !pathPattern.test(path));
  if (wrong !== undefined) {
    throw new CdnPathsError(`${JSON.stringify(wrong.slice(0, 100))} is not an absolute path.`);
  }
}
