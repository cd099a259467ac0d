/** A measured banner, loaded as in its documentation. */
export interface Party {
  /** Its name, and the folder of its files. */
  name: string;
  version: string;
  /**
   * Its lines in the page. With a policy that forbids inline scripts, the inline scripts of its documentation
   * are in a separate file instead.
   */
  toLines: (isStrict: boolean) => { head?: string; body?: string };
  /** The files in its folder, by name. */
  files: ReadonlyMap<string, Buffer>;
  /** The other origin that it uses. */
  origin?: string;
}
