/** Names of the cookies, as options that sites of this family already set. Also in a configuration's `settings`. */
export interface Names {
  jsonCookieName: string;
  authorizedVendorsCookieName: string;
  allVendorsCookieName: string;
  userCookiesDomain: string;
}
