/** The file that a page loads. */
export const ENTRY = "widget.js";

/** The same file, compressed with zopfli. */
export const ENTRY_GZIP = "widget.js.gz";
