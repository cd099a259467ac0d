import type { Vendor } from "@avow/contract/configuration";
import { readObject, readText } from "@avow/contract/json";
import type { AnyConfiguration } from "@avow/contract/published";
import type { Configuration } from "./contents.ts";
import { type ShownPart, type ShownText, toShown } from "../../evidence/reports/statement/shown.ts";

/** The texts of every banner; those of steps and vendors depend on its content. */
const bannerWords = ["refuseAll", "acceptAll", "save", "settings", "close"];
const formWords = ["refuse", "accept", "withdraw", "change"];
/** A banner shows the heads of its steps: its own are internal. */
const heads = new Set<ShownText["kind"]>(["topTitle", "title", "subTitle", "message"]);

/**
 * The texts of a configuration as visitors saw them: for a banner, each step under its title or else its name, then the
 * texts of the configuration. Texts that the configuration does not define are the widget's own.
 */
export function toDisplayedParts(configuration: Configuration): ShownPart[] {
  const { collection, words } = configuration;
  const [own, ...steps] = toShown(configuration);
  if (!own) return [];
  if (collection !== "cookies") {
    const names = formWords.filter((name) => isFromWidget(name, configuration));
    const widgetTexts = toWidgetTexts(names, configuration, words);
    return [{ ...own, texts: [...own.texts, ...widgetTexts] }, ...steps];
  }
  const titled = steps.map((part) =>
    part.kind === "step" && !part.texts.some(({ kind }) => kind === "title")
      ? { ...part, texts: [{ kind: "title" as const, text: part.name }, ...part.texts] }
      : part,
  );
  const texts = own.texts.filter(({ kind }) => !heads.has(kind));
  const names = [...bannerWords, ...listConditionalWords(configuration)];
  const widgetTexts = toWidgetTexts(names, configuration, words);
  return [...titled, { ...own, texts: [...texts, ...widgetTexts] }];
}

/** The texts of a banner with several steps, a switch, a vendor that is always on, details or a policy. */
function listConditionalWords({ steps = [] }: AnyConfiguration): string[] {
  const vendors = steps.flatMap((step) => step.vendors ?? []);
  const has = (...names: (keyof Vendor)[]): boolean =>
    vendors.some((vendor) => names.some((name) => Boolean(vendor[name])));
  const conditions: [name: string, isDisplayed: boolean][] = [
    ["choose", steps.length > 1],
    ["next", steps.length > 2],
    ["back", steps.length > 1],
    ["toggleAll", vendors.some(({ required }) => required !== true)],
    ["alwaysOn", has("required")],
    ["details", has("longDescription", "policyUrl")],
    ["policy", has("policyUrl")],
  ];
  return conditions.flatMap(([name, isDisplayed]) => (isDisplayed ? name : []));
}

/** Whether a text is the widget's: a form may have its own buttons and sentence, which are among its texts. */
function isFromWidget(name: string, configuration: AnyConfiguration): boolean {
  if (name === "accept") return readText(configuration.accept) === undefined;
  return name !== "refuse" || !configuration.buttons?.length;
}

/** The widget's texts of these names that the configuration does not define. */
function toWidgetTexts(
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
