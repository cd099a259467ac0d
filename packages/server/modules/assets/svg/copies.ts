import type { XmlElement } from "@rgrove/parse-xml";
import { RefusedError } from "../formats/tasks.ts";
import { childElements } from "./elements.ts";
import { workOf } from "./filters.ts";
import { readReferences } from "./references.ts";

/** Maximum elements that are drawn when every reference is followed. A few lines can draw billions. */
const DRAWN_MAX = 200_000;
/** Maximum cost of filters, in passes of the simplest one over the picture; a shadow takes seven. */
const PASSES_MAX = 500;
const shapes = new Set(
  "circle ellipse line path polygon polyline rect text tspan textPath".split(" "),
);

/** The cost of an element with everything that it draws. */
interface Cost {
  drawn: number;
  passes: number;
  /** The number of shapes that use a paint; `corners` are the vertices that have a marker. */
  shapes: number;
  corners: number;
}

/**
 * Rejects a picture whose references (`use`, patterns, markers, masks, clips, filters) are circular or multiply the drawn
 * elements excessively, and one with filters that would take minutes.
 */
export function assertCopies(root: XmlElement): void {
  const references = readReferences(root);
  const known = new Map<XmlElement, Cost>();
  const open = new Set<XmlElement>();
  const costOf = (element: XmlElement): Cost => {
    const found = known.get(element);
    if (found) return found;
    if (open.has(element)) throw refuse("The SVG contains a circular reference.");
    open.add(element);
    const { once = [], paints = [], markers = [], filters = [] } = references.get(element) ?? {};
    const cost = ownCost(element, filters);
    for (const child of childElements(element)) {
      // The cost of a filter counts where it is used.
      const { passes, ...others } = costOf(child);
      add(cost, { ...others, passes: child.name === "filter" ? 0 : passes });
    }
    for (const target of once) {
      const { drawn, passes, ...inside } = costOf(target);
      add(cost, {
        drawn,
        passes,
        ...(element.name === "use" ? inside : { shapes: 0, corners: 0 }),
      });
    }
    // Inherited paints and markers count at the shapes that use them. The shapes of a copy inherit from the copy.
    if (shapes.has(element.name) || element.name === "use") {
      const painted = paints.map(costOf);
      for (const paint of painted) addTimes(cost, cost.shapes, paint);
      for (const marker of markers.map(costOf)) {
        addTimes(cost, cost.corners, marker);
        // A marker can inherit the paint of its shape.
        for (const paint of painted) addTimes(cost, cost.corners * marker.shapes, paint);
      }
    }
    assertCost(cost);
    open.delete(element);
    known.set(element, cost);
    return cost;
  };
  costOf(root);
}

function ownCost({ name, attributes }: XmlElement, filters: readonly string[]): Cost {
  const isShape = shapes.has(name);
  const numbers = `${attributes["d"] ?? ""} ${attributes["points"] ?? ""}`.match(/[\d.]+/g);
  const functions = filters.join().match(/[\w-]+\(/g) ?? [];
  return {
    drawn: 1,
    passes: workOf(name, attributes) + functions.filter((one) => !/^url/i.test(one)).length * 4,
    shapes: isShape ? 1 : 0,
    corners: isShape ? Math.max(2, numbers?.length ?? 0) : 0,
  };
}

function add(cost: Cost, other: Cost): void {
  cost.drawn += other.drawn;
  cost.passes += other.passes;
  cost.shapes += other.shapes;
  cost.corners += other.corners;
}

function addTimes(cost: Cost, times: number, { drawn, passes }: Cost): void {
  cost.drawn += times * drawn;
  cost.passes += times * passes;
}

function assertCost({ drawn, passes }: Cost): void {
  if (drawn > DRAWN_MAX)
    throw refuse(`The SVG draws more than ${DRAWN_MAX.toLocaleString("en")} elements.`);
  if (passes > PASSES_MAX) throw refuse("The filters of the SVG take too long to draw.");
}

function refuse(why: string): RefusedError {
  return new RefusedError("impossible", why);
}
