import { toDays } from "./memory.ts";
import type { Names } from "./selector.ts";
import type { Cookies } from "./site.ts";

/** Names, lifetime and domain of the cookies. */
export interface CookieOptions {
  choices: string;
  authorized: string;
  answeredList: string;
  days: number;
  /** Such as `.shop.example`, for all of its hosts. */
  domain?: string | undefined;
}

/** The names of a configuration's cookies, which options of the page replace. */
export function toCookieOptions(options: Partial<Names>, cookies: Cookies): CookieOptions {
  const settings = { ...cookies.settings, ...options };
  const {
    jsonCookieName: choices = "axeptio_cookies",
    authorizedVendorsCookieName: authorized = "axeptio_authorized_vendors",
    allVendorsCookieName: answeredList = "axeptio_all_vendors",
    userCookiesDomain: domain,
  } = settings as Partial<Names>;
  return { choices, authorized, answeredList, domain, days: toDays(settings) };
}
