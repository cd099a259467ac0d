import type { XmlElement } from "@rgrove/parse-xml";
import { RefusedError } from "../child/tasks.ts";
import { childElements } from "./elements.ts";

/** What is drawn when every `use` is followed: a picture of a few lines can ask for billions. */
const DRAWN_MAX = 200_000;

/** Refuses a picture whose `use` elements lead in a circle, or multiply what is drawn without measure. */
export function assertCopies(root: XmlElement): void {
  const byId = new Map<string, XmlElement>();
  collect(root, byId);
  const counts = new Map<XmlElement, number>();
  const open = new Set<XmlElement>();
  const countOf = (element: XmlElement): number => {
    const known = counts.get(element);
    if (known !== undefined) return known;
    if (open.has(element))
      throw new RefusedError(
        "impossible",
        "The SVG is drawn in a circle: a part of it uses itself.",
      );
    open.add(element);
    let count = 1;
    for (const child of childElements(element)) count += countOf(child);
    const target = element.name === "use" ? byId.get(targetOf(element)) : undefined;
    if (target) count += countOf(target);
    if (count > DRAWN_MAX)
      throw new RefusedError(
        "impossible",
        `The SVG draws more than ${DRAWN_MAX.toLocaleString("en")} elements.`,
      );
    open.delete(element);
    counts.set(element, count);
    return count;
  };
  countOf(root);
}

function collect(element: XmlElement, byId: Map<string, XmlElement>): void {
  const { id } = element.attributes;
  if (id !== undefined && !byId.has(id)) byId.set(id, element);
  for (const child of childElements(element)) collect(child, byId);
}

function targetOf({ attributes }: XmlElement): string {
  return (attributes["href"] ?? attributes["xlink:href"] ?? "").trim().slice(1);
}
