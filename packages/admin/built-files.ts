/**
 * Where the admin app is as browsers load it. `npm run build:admin` writes it, and it is kept in the
 * repository, so that what runs in production needs no bundler.
 */
export const builtUrl = new URL("built/", import.meta.url);

/** The page, which names the files that it begins with; every other file's name holds its hash. */
export const PAGE = "page.html";

/** The page that shows a draft with the real widget. */
export const PREVIEW = "preview.html";

/** What stands in the page for the path that the service answers under, such as `/consent`. */
export const BASE_MARK = "{{base}}";
