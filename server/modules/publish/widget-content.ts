import { toOffers } from "../consents/offers.ts";
import { type Content, toSources } from "./content.ts";
import { toTheme } from "./theme.ts";
import { wordsOf } from "./words.ts";

const DEFAULT_LANGUAGE = "en";
/** Enough to tell one from the next. */
const SUBSTANCE_LENGTH = 8;

/** A content with what the widget needs to show it. */
export function withWidget(content: Content, hash: string): Content {
  const spoken = [...content.cookies, ...content.processings, ...content.contracts];
  const hasBoxes = content.processings.length + content.contracts.length > 0;
  const languages = spoken.map(({ language }) =>
    typeof language === "string" ? language : DEFAULT_LANGUAGE,
  );
  const words = [...new Set(languages)].map((language) => {
    const { banner, boxes } = wordsOf(language);
    return [language, hasBoxes ? { ...boxes, ...banner } : banner];
  });
  const substances: Record<string, Record<string, string>> = {};
  for (const { identifier, item, substance, required } of toOffers(toSources(content)))
    if (item !== "" && !required)
      (substances[identifier] ??= {})[item] = substance.slice(0, SUBSTANCE_LENGTH);
  const theme = toTheme(content.client);
  return { ...content, widget: { hash, words: Object.fromEntries(words), theme, substances } };
}
