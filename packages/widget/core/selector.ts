// Options of pages. They need no other package, so that the types of this one stand alone.

/** Selects a configuration by name, language and country. */
export interface Selector {
  /** The name or the identifier of a cookie configuration. */
  cookies?: string | undefined;
  /** BCP 47. */
  language?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  country?: string | undefined;
}

/** Names of the cookies, as options that sites of this family already set. Also in a configuration's `settings`. */
export interface Names {
  jsonCookieName: string;
  authorizedVendorsCookieName: string;
  allVendorsCookieName: string;
  userCookiesDomain: string;
}
