import type { Context, Tcf } from "../features.ts";
import type { Cookies } from "../site.ts";

/** The layout `iab`. */
export function openTcf(_context: Context, _cookies: Cookies): Tcf {
  return {
    isPending: () => false,
    answer: () => undefined,
    toMain: () => document.createTextNode(""),
  };
}
