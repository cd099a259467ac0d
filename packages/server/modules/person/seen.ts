import { type Fields, toFields, toLine, toList } from "../evidence/reports/statement/fields.ts";
import { type ShownPart, type ShownText, toShown } from "../evidence/reports/statement/shown.ts";

/** What a banner says of its own to everybody; what it says of a step or vendor stands where there is one. */
const bannerWords = ["refuseAll", "acceptAll", "save", "settings", "close"];
const boxWords = ["refuse", "accept", "withdraw", "change"];
/** The heads of a banner are its steps': its own title is for those who made it. */
const heads = new Set<ShownText["kind"]>(["topTitle", "title", "subTitle", "message"]);

/**
 * The texts of a configuration as visitors saw them: of a banner each step under its title, or its name where it has
 * none, then the widget's buttons with the words that were published for them where the configuration has none.
 *
 * @param words what the version published for the configuration's language (`widget.words`)
 */
export function toSeen(configuration: Fields, collection: string, words: Fields): ShownPart[] {
  const [own, ...steps] = toShown(configuration);
  if (!own) return [];
  if (collection !== "cookies") {
    const names = boxWords.filter((name) => isSaidByWidget(name, configuration));
    return [{ ...own, texts: [...own.texts, ...toSaid(names, configuration, words)] }, ...steps];
  }
  const titled = steps.map((part) =>
    part.kind === "step" && !part.texts.some(({ kind }) => kind === "title")
      ? { ...part, texts: [{ kind: "title" as const, text: part.name }, ...part.texts] }
      : part,
  );
  const texts = own.texts.filter(({ kind }) => !heads.has(kind));
  const said = toSaid([...bannerWords, ...toPlaced(configuration)], configuration, words);
  return [...titled, { ...own, texts: [...texts, ...said] }];
}

/** What a banner says where it has several steps, a switch, a vendor that is always on, details or a policy. */
function toPlaced(configuration: Fields): string[] {
  const steps = toList(configuration["steps"]);
  const vendors = steps.flatMap((step) => toList(step["vendors"]));
  const has = (...names: string[]): boolean =>
    vendors.some((vendor) => names.some((name) => Boolean(vendor[name])));
  const placed: [name: string, isThere: boolean][] = [
    ["choose", steps.length > 1],
    ["next", steps.length > 2],
    ["back", steps.length > 1],
    ["toggleAll", vendors.some(({ required }) => required !== true)],
    ["alwaysOn", has("required")],
    ["details", has("longDescription", "policyUrl")],
    ["policy", has("policyUrl")],
  ];
  return placed.flatMap(([name, isThere]) => (isThere ? name : []));
}

/** The buttons and the sentence of a box's own stand among its texts. */
function isSaidByWidget(name: string, configuration: Fields): boolean {
  if (name === "accept") return toLine(configuration["accept"]) === undefined;
  return name !== "refuse" || toList(configuration["buttons"]).length === 0;
}

/** The widget's words of these names that the configuration does not say itself. */
function toSaid(names: readonly string[], configuration: Fields, words: Fields): ShownText[] {
  const own = toFields(configuration["strings"]);
  return names.flatMap((name) => {
    const text = toLine(own[name]) === undefined ? toLine(words[name]) : undefined;
    return text === undefined ? [] : [{ kind: "string" as const, name: `words.${name}`, text }];
  });
}
