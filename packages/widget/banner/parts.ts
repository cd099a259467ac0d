import type { Context, Features, Tcf } from "./features.ts";
import type { Regional } from "./banner.ts";
import type { Options } from "../core/options.ts";

/** The dependencies of the parts of a visit. */
export interface Parts extends Context {
  wanted: Options;
  features: Features;
  tcf: Tcf | undefined;
  regional: Regional | undefined;
}
