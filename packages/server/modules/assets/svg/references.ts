import type { XmlElement } from "@rgrove/parse-xml";
import { childElements } from "./elements.ts";
import { type Rule, listRules, matches } from "./rules.ts";

/** A property of an element: from its attribute, its style, or a rule that may match it. */
interface Declaration {
  property: string;
  value: string;
}

/** Properties that children inherit (SVG 2, 6.6), like custom properties. */
const PAINTS = new Set(["fill", "stroke"]);
const MARKERS = new Set(["marker", "marker-start", "marker-mid", "marker-end"]);
/** Values that refer to the paint of another element. */
const BORROWED = /\b(?:inherit|unset|revert|initial|context-\w+|var)\b/;
/** Elements that include the content of their target. Links, animations and text paths only refer to it. */
const COPYING = new Set(["use", "pattern", "linearGradient", "radialGradient", "filter"]);

/** The parts of the picture that are drawn with an element. */
export interface References {
  /** Drawn once: its copies, masks, clips and filters. */
  once: XmlElement[];
  /** The paints of each shape in it, its own and inherited ones. */
  paints: XmlElement[];
  /** The markers at each vertex of each shape in it. */
  markers: XmlElement[];
  /** Values of its `filter` property: references or functions. */
  filters: string[];
}

/** The references of every element of a picture, including those of style sheets. */
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
    const declared = listDeclarations(element, rules);
    const inherited = inherit(above, declared, byId);
    const named = declared.filter(({ property }) => !isInherited(property));
    references.set(element, {
      once: [...copiedBy(element, byId), ...named.flatMap(({ value }) => partsOf(value, byId))],
      paints: [...inherited].flatMap(([property, parts]) => (MARKERS.has(property) ? [] : parts)),
      markers: [...inherited].flatMap(([property, parts]) => (MARKERS.has(property) ? parts : [])),
      filters: declared.filter(({ property }) => property === "filter").map(({ value }) => value),
    });
    for (const child of childElements(element)) read(child, inherited);
  };
  read(root, new Map());
  return references;
}

function walk(element: XmlElement, look: (element: XmlElement) => void): void {
  look(element);
  for (const child of childElements(element)) walk(child, look);
}

function isInherited(property: string): boolean {
  return PAINTS.has(property) || MARKERS.has(property) || property.startsWith("--");
}

function listDeclarations({ name, attributes }: XmlElement, rules: readonly Rule[]): Declaration[] {
  const own = Object.entries(attributes)
    .filter(([property]) => property !== "style")
    .map(([property, value]) => ({ property, value }));
  const styled = declarationsOf(attributes["style"] ?? "");
  const ruled = rules.filter((rule) => matches(rule, name, attributes));
  return [...own, ...styled, ...ruled.flatMap(({ body }) => declarationsOf(body))];
}

/** Parses declarations that are separated by `;`. */
function declarationsOf(text: string): Declaration[] {
  return text.split(";").flatMap((one) => {
    const at = one.indexOf(":");
    if (at < 0) return [];
    return [{ property: one.slice(0, at).trim().toLowerCase(), value: one.slice(at + 1) }];
  });
}

/** The properties that children inherit: those from above, except where overridden. */
function inherit(
  above: ReadonlyMap<string, readonly XmlElement[]>,
  declared: readonly Declaration[],
  byId: ReadonlyMap<string, XmlElement>,
): ReadonlyMap<string, readonly XmlElement[]> {
  const own = declared.filter(({ property, value }) => isInherited(property) && value.length > 0);
  if (own.length === 0) return above;
  const inherited = new Map(above);
  for (const [property, values] of Map.groupBy(own, (one) => one.property)) {
    const parts = values.flatMap(({ value }) => partsOf(value, byId));
    const kept = values.some(({ value }) => BORROWED.test(value)) ? above.get(property) : undefined;
    inherited.set(property, [...new Set([...(kept ?? []), ...parts])]);
  }
  return inherited;
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
