import type { Context, LoadFeature, Tcf } from "./features.ts";
import type { Regional } from "./banner.ts";
import type { Options } from "../page/options.ts";

/** The dependencies of the parts of a visit. */
export interface Parts extends Context {
  wanted: Options;
  load: LoadFeature;
  tcf: Tcf | undefined;
  regional: Regional | undefined;
}
