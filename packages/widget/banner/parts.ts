import type { Context, Features, Tcf } from "./features.ts";
import type { Options } from "../core/options.ts";
import type { Cookies } from "../core/site.ts";

/** The dependencies of the parts of a visit. */
export interface Parts extends Context {
  wanted: Options;
  features: Features;
  cookies: Cookies;
  tcf: Tcf | undefined;
}
