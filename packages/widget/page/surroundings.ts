import type { Selector } from "../core/selector.ts";
import type { Surroundings } from "../core/site.ts";

/** The languages, the country and the path of a page; those that the site names take precedence. */
export function toSurroundings({
  language,
  country = /-(\w\w)\b/.exec(navigator.language)?.[1],
}: Selector): Surroundings {
  return {
    languageTags: [language, document.documentElement.lang, ...navigator.languages],
    countryCode: country,
    pagePath: location.pathname,
  };
}
