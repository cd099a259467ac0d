/** The page, which names the files that it begins with; every other file's name holds its hash. */
export const PAGE = "page.html";

/** The page that shows a draft with the real widget. */
export const PREVIEW = "preview.html";

/** Stands in the pages for the path that the service answers under, such as `/consent`. */
export const BASE_MARK = "{{base}}";
