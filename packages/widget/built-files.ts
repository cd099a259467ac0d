/**
 * Where the widget is as browsers load it. `npm run build:widget` writes it, and it is kept in the
 * repository, so that what runs in production needs no bundler.
 */
export const builtUrl = new URL("built/", import.meta.url);

/** The file that a page names. */
export const ENTRY = "widget.js";

/** The same file as gzip, made as small as it can be. */
export const ENTRY_GZIP = "widget.js.gz";
