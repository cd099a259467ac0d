/** The file that a page names. */
export const ENTRY = "widget.js";

/** The same file as gzip, made as small as it can be. */
export const ENTRY_GZIP = "widget.js.gz";
