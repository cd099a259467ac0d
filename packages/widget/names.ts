/** The file that a page loads. */
export const ENTRY = "widget.js";

/** The same file, compressed with zopfli. */
export const ENTRY_GZIP = "widget.js.gz";

/** The file that holds tags until consent; the service puts the host list of a project in the place of `HOSTS`. */
export const BLOCKER = "block.js";

/** The place of the host list in that file. */
export const HOSTS = '"HOSTS"';
