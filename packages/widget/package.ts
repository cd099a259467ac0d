// import { init } from "@avow/widget"
import type { Avow } from "./core/api.ts";
import { init as initWith } from "./avow.ts";
import type { Options } from "./core/options.ts";

export type { Avow } from "./core/api.ts";
export type { Names, Options } from "./core/options.ts";
export type { Events } from "./core/events.ts";

/** Starts the widget; bundlers split the features that load on demand. */
export function init(options: Options): Avow {
  return initWith(options, {
    regions: () => import("./regions/region.ts"),
    gpp: () => import("./gpp/gpp.ts"),
    center: () => import("./center/center.ts"),
    boxes: () => import("./boxes/package.ts"),
    device: () => import("./device/package.ts"),
    tcf: () => import("./tcf/tcf.ts"),
  });
}
