// import { init } from "@avow/widget"
import type { Avow } from "./page/api.ts";
import { init as initWith } from "./avow.ts";
import type { Features } from "./banner/features.ts";
import type { Options } from "./page/options.ts";

export type { Avow } from "./page/api.ts";
export type { Names } from "./core/selector.ts";
export type { Options } from "./page/options.ts";
export type { Events } from "./page/events.ts";

/** A bundler splits them. */
const features: { [N in keyof Features]: () => Promise<Features[N]> } = {
  regions: () => import("./regions/region.ts"),
  gpp: () => import("./gpp/gpp.ts"),
  center: () => import("./center/center.ts"),
  boxes: () => import("./boxes/package.ts"),
  device: () => import("./device/package.ts"),
  tcf: () => import("./tcf/tcf.ts"),
};

/** Starts the widget. */
export function init(options: Options): Avow {
  return initWith(options, (name) => features[name]());
}
