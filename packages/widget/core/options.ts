import type { Wanted } from "./api.ts";

/** Options that a page gives the widget. */
export interface Options extends Wanted, Partial<Names> {
  projectId: string;
  /** Base address of the service, such as `https://consent.example`. */
  service: string;
  /** Base address of published files; `/cdn` of the service by default. */
  cdn?: string | undefined;
  /** `production`, or `staging`. */
  environment?: string | undefined;
  /** The visitor's, where the site knows them. */
  token?: string | undefined;
  /** Whether Google's and Microsoft's tags are told at once that nothing is granted, before the file is there. */
  consentMode?: boolean;
  /** The nonce of the page's policy, where it has one: then scripts want it too before they run for a vendor. */
  nonce?: string;
  /** Whether the banner waits for `open()`. */
  manual?: boolean;
}

/** How cookies are named, in the names that sites of this family already set. Also in a configuration's `settings`. */
export interface Names {
  jsonCookieName: string;
  authorizedVendorsCookieName: string;
  allVendorsCookieName: string;
  userCookiesDomain: string;
}
