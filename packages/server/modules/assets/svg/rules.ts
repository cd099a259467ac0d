/** A rule of a style sheet that refers to a part of the picture, or has filters. */
export interface Rule {
  /** The last compound of each selector; undefined matches any element. */
  selectors: (Selector | undefined)[];
  body: string;
}

interface Selector {
  name: string | undefined;
  ids: string[];
  classes: string[];
}

const MATTERS = /url\(|filter\s*:/i;
const COMPOUND = /^(\*|[a-z][\w-]*)?((?:[.#][a-z_][\w-]*)*)$/i;

/**
 * Parses the rules of a style sheet that affect cost. Unsupported selectors and rules count for every element, so that a rule
 * matches at least the elements that it matches in a browser.
 */
export function listRules(sheet: string): Rule[] {
  const text = sheet.replaceAll(/\/\*[\s\S]*?\*\//g, " ");
  const rules: Rule[] = [];
  const rest = text.replaceAll(/([^{};]*)\{([^{}]*)\}/g, (_all, prelude: string, body: string) => {
    if (MATTERS.test(body)) rules.push({ selectors: prelude.split(",").map(toSelector), body });
    return ";";
  });
  if (MATTERS.test(rest))
    rules.push({ selectors: [undefined], body: rest.replaceAll(/[{}]/g, ";") });
  return rules;
}

function toSelector(text: string): Selector | undefined {
  const last =
    text
      .trim()
      .split(/[\s>+~]+/)
      .at(-1) ?? "";
  const [, name, parts = ""] = COMPOUND.exec(last) ?? [];
  // `from` and `to` are keyframes, which can apply to any element.
  if (last === "" || !COMPOUND.test(last) || name === "from" || name === "to") return undefined;
  const named = parts.match(/[.#][^.#]+/g) ?? [];
  const of = (mark: string) => named.filter((one) => one[0] === mark).map((one) => one.slice(1));
  return { name: name === "*" ? undefined : name, ids: of("#"), classes: of(".") };
}

/** Whether a rule may be one of an element's. */
export function matches(
  { selectors }: Rule,
  name: string,
  attributes: Readonly<Record<string, string>>,
): boolean {
  const classes = new Set((attributes["class"] ?? "").split(/\s+/));
  return selectors.some(
    (one) =>
      one === undefined ||
      ((one.name === undefined || one.name.toLowerCase() === name.toLowerCase()) &&
        one.ids.every((id) => id === attributes["id"]) &&
        one.classes.every((each) => classes.has(each))),
  );
}
