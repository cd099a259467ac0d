// import { init } from "@avow/widget"
import { type Avow, type Options, init as initWith } from "./avow.ts";

export type { Avow, Events, Names, Options } from "./avow.ts";

/** Starts the widget; what it does not need at once is a part of its own in a bundler's output. */
export function init(options: Options): Avow {
  return initWith(options, {
    boxes: () => import("./boxes/boxes.ts"),
    tcf: () => import("./tcf/tcf.ts"),
  });
}
