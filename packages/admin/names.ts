/** The name of the page. All other files have a content hash in their name. */
export const PAGE = "page.html";

/** The name of the preview page. */
export const PREVIEW = "preview.html";

/** The placeholder in pages for the base path of the service, such as `/consent`. */
export const BASE_MARK = "{{base}}";
