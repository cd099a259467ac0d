import type { Vendor } from "@avow/contract/configuration";
import { readObject, readText } from "@avow/contract/json";
import type { AnyConfiguration } from "@avow/contract/published";
import type { Configuration } from "./contents.ts";
import { type ShownPart, type ShownText, toShown } from "../../evidence/reports/statement/shown.ts";

/** What a banner says of its own to everybody; what it says of a step or vendor stands where there is one. */
const bannerWords = ["refuseAll", "acceptAll", "save", "settings", "close"];
const boxWords = ["refuse", "accept", "withdraw", "change"];
/** The heads of a banner are its steps': its own title is for those who made it. */
const heads = new Set<ShownText["kind"]>(["topTitle", "title", "subTitle", "message"]);

/**
 * The texts of a configuration as visitors saw them: of a banner each step under its title, or its name where it has
 * none, then the widget's buttons with the words that were published for them where the configuration has none.
 */
export function toSeen(configuration: Configuration): ShownPart[] {
  const { collection, words } = configuration;
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
function toPlaced({ steps = [] }: AnyConfiguration): string[] {
  const vendors = steps.flatMap((step) => step.vendors ?? []);
  const has = (...names: (keyof Vendor)[]): boolean =>
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
function isSaidByWidget(name: string, configuration: AnyConfiguration): boolean {
  if (name === "accept") return readText(configuration.accept) === undefined;
  return name !== "refuse" || !configuration.buttons?.length;
}

/** The widget's words of these names that the configuration does not say itself. */
function toSaid(
  names: readonly string[],
  configuration: AnyConfiguration,
  words: Configuration["words"],
): ShownText[] {
  const own = readObject(configuration.strings);
  return names.flatMap((name) => {
    const text = readText(own[name]) === undefined ? readText(words[name]) : undefined;
    return text === undefined ? [] : [{ kind: "string" as const, name: `words.${name}`, text }];
  });
}
