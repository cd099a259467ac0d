import type { XmlElement } from "@rgrove/parse-xml";
import { childElements } from "./elements.ts";
import { type Rule, listRules, matches } from "./rules.ts";

/** What an element says of one property: in its attribute, its style, or a rule that may match it. */
interface Said {
  property: string;
  value: string;
}

/** Handed on to what is inside (SVG 2, 6.6), as is what a custom property holds. */
const PAINTS = new Set(["fill", "stroke"]);
const MARKERS = new Set(["marker", "marker-start", "marker-mid", "marker-end"]);
/** Says that the paint is another one's. */
const BORROWED = /\b(?:inherit|unset|revert|initial|context-\w+|var)\b/;
/** Elements that go on with what another one holds. Links, movements and lines of text only point to one. */
const COPYING = new Set(["use", "pattern", "linearGradient", "radialGradient", "filter"]);

/** The parts of the picture that drawing one element draws, too. */
export interface References {
  /** Once: what it copies, and its masks, clips and filters. */
  once: XmlElement[];
  /** The paints of each shape in it, its own and those that are handed on to it. */
  paints: XmlElement[];
  /** What stands at each corner of each shape in it. */
  markers: XmlElement[];
  /** Of its `filter`, by name or as functions. */
  filters: string[];
}

/** Reads a picture's references, with those that its style sheets make, for every element in it. */
export function readReferences(root: XmlElement): Map<XmlElement, References> {
  const byId = new Map<string, XmlElement>();
  const rules: Rule[] = [];
  walk(root, (element) => {
    const { id } = element.attributes;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    if (element.name === "style") rules.push(...listRules(element.text));
  });
  const references = new Map<XmlElement, References>();
  const read = (element: XmlElement, above: ReadonlyMap<string, readonly XmlElement[]>): void => {
    const said = listSaid(element, rules);
    const handed = handOn(above, said, byId);
    const named = said.filter(({ property }) => !isHandedOn(property));
    references.set(element, {
      once: [...copiedBy(element, byId), ...named.flatMap(({ value }) => partsOf(value, byId))],
      paints: [...handed].flatMap(([property, parts]) => (MARKERS.has(property) ? [] : parts)),
      markers: [...handed].flatMap(([property, parts]) => (MARKERS.has(property) ? parts : [])),
      filters: said.filter(({ property }) => property === "filter").map(({ value }) => value),
    });
    for (const child of childElements(element)) read(child, handed);
  };
  read(root, new Map());
  return references;
}

function walk(element: XmlElement, look: (element: XmlElement) => void): void {
  look(element);
  for (const child of childElements(element)) walk(child, look);
}

function isHandedOn(property: string): boolean {
  return PAINTS.has(property) || MARKERS.has(property) || property.startsWith("--");
}

function listSaid({ name, attributes }: XmlElement, rules: readonly Rule[]): Said[] {
  const own = Object.entries(attributes)
    .filter(([property]) => property !== "style")
    .map(([property, value]) => ({ property, value }));
  const styled = declarationsOf(attributes["style"] ?? "");
  const ruled = rules.filter((rule) => matches(rule, name, attributes));
  return [...own, ...styled, ...ruled.flatMap(({ body }) => declarationsOf(body))];
}

/** What declarations say, `;` between them. */
function declarationsOf(text: string): Said[] {
  return text.split(";").flatMap((one) => {
    const at = one.indexOf(":");
    if (at < 0) return [];
    return [{ property: one.slice(0, at).trim().toLowerCase(), value: one.slice(at + 1) }];
  });
}

/** What is handed on to what is inside: what comes from above, but where something else is said. */
function handOn(
  above: ReadonlyMap<string, readonly XmlElement[]>,
  said: readonly Said[],
  byId: ReadonlyMap<string, XmlElement>,
): ReadonlyMap<string, readonly XmlElement[]> {
  const own = said.filter(({ property, value }) => isHandedOn(property) && value.length > 0);
  if (own.length === 0) return above;
  const handed = new Map(above);
  for (const [property, values] of Map.groupBy(own, (one) => one.property)) {
    const parts = values.flatMap(({ value }) => partsOf(value, byId));
    const kept = values.some(({ value }) => BORROWED.test(value)) ? above.get(property) : undefined;
    handed.set(property, [...new Set([...(kept ?? []), ...parts])]);
  }
  return handed;
}

/** The parts that a value names: `url(#a)`, `url("#a")`. */
function partsOf(value: string, byId: ReadonlyMap<string, XmlElement>): XmlElement[] {
  return [...value.matchAll(/url\(\s*["']?\s*#([^"')\s]+)/gi)].flatMap(
    ([, id = ""]) => byId.get(id) ?? [],
  );
}

function copiedBy(
  { name, attributes }: XmlElement,
  byId: ReadonlyMap<string, XmlElement>,
): XmlElement[] {
  if (!COPYING.has(name)) return [];
  const href = attributes["href"] ?? attributes["xlink:href"] ?? "";
  return [byId.get(href.trim().slice(1)) ?? []].flat();
}
