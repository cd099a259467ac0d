/** A banner that is measured, as its documentation has a page load it. */
export interface Party {
  /** Its name, and the folder that its files are served from. */
  name: string;
  version: string;
  /**
   * Its lines in the page; under a policy that forbids scripts in the page, what its documentation writes
   * there stands in a file of its own instead.
   */
  toLines: (isStrict: boolean) => { head?: string; body?: string };
  /** The files that it loads from its folder, by name. */
  files: ReadonlyMap<string, Buffer>;
  /** The other origin that it loads from and sends to. */
  origin?: string;
}
