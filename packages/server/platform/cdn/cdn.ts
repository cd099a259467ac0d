/** One invalidation of several paths. */
export interface InvalidationIn {
  /** 1 to 1,000 absolute paths. */
  paths: readonly string[];
  /** The same reference and paths are the same invalidation, so that a step can be repeated. */
  reference: string;
}

/** The CDN's id of the invalidation, and a note for people. */
export interface InvalidationOut {
  id: string;
  note: string;
}

/**
 * The CDN in front of published files. Every driver passes `test/ports/cdn.test.ts`. Throws `CdnPathsError` for
 * invalid paths.
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
