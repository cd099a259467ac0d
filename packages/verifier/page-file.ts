/**
 * The page that checks bundles in a browser: one file, which may be served as it is, put in an archive
 * and opened from a disk. `npm run build:verifier` writes it from `page/`, and it is kept in the
 * repository, so that what runs in production needs no bundler.
 */
export const pageUrl = new URL("page.html", import.meta.url);
