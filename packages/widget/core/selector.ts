/** Selects a configuration by name, language and country. */
export interface Selector {
  /** The name or the identifier of a cookie configuration. */
  cookies?: string | undefined;
  /** BCP 47. */
  language?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
}

/** Facts about a visitor before any answer. */
export interface Surroundings {
  /** BCP 47, the preferred one first. */
  languageTags: readonly (string | undefined)[];
  /** ISO 3166-1 alpha-2. */
  countryCode?: string | undefined;
  /** The path of the page; empty without a page. */
  pagePath: string;
}
