/** The file that a page loads. */
export const ENTRY = "widget.js";

/** The same file, compressed with zopfli. */
export const ENTRY_GZIP = "widget.js.gz";

/** The file that holds tags until consent; the service puts the host list of a project in the place of a name. */
export const BLOCKER = "block.js";

/** The name in that file that stands for the host list. */
export const HOSTS = "AVOW_HOSTS";
