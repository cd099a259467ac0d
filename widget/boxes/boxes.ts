import type { Boxes, Context } from "../features.ts";

/** Shows the page's boxes: elements with `data-avow="processing:ID"` or `data-avow="contract:ID"`. */
export function openBoxes(_context: Context): Boxes {
  return { fill: () => undefined };
}
