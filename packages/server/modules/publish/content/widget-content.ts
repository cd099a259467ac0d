import { isAsked } from "@avow/contract/answers";
import type { SettledOffer } from "../../consents/offers/questions.ts";
import type { Content, WidgetContent } from "@avow/contract/published";
import { DEFAULT_LANGUAGE } from "./identities.ts";
import { hasPlaceholders, toPublishedWords } from "./published-words.ts";
import { toTheme } from "./theme.ts";

/** Long enough to distinguish substances. */
const SUBSTANCE_LENGTH = 8;

/** Adds the data that the widget needs to show a content. */
export function withWidget(
  content: Content,
  {
    hash,
    tcf,
    offers,
  }: Pick<WidgetContent, "hash"> & {
    tcf: WidgetContent["tcf"] | undefined;
    offers: readonly SettledOffer[];
  },
): Content {
  const configurations = [...content.cookies, ...content.processings, ...content.contracts];
  const languages = configurations.map(({ language = DEFAULT_LANGUAGE }) => language);
  const words = [...new Set(languages)].map((language) => [
    language,
    { dir: toDirection(language), ...toPublishedWords(content, language, tcf !== undefined) },
  ]);
  const substances: Record<string, Record<string, string>> = {};
  for (const offer of offers) {
    const { collection, identifier, item, substance, covers } = offer;
    // A banner itself asks nothing, only its vendors do.
    if (isAsked(offer) && (collection !== "cookies" || item !== ""))
      (substances[identifier] ??= {})[item] = [substance, ...covers]
        .map((one) => one.slice(0, SUBSTANCE_LENGTH))
        .join(" ");
  }
  const theme = toTheme(content.client);
  const widget = {
    hash,
    words: Object.fromEntries(words),
    theme,
    substances,
    ...(content.cookies.some(hasPlaceholders) && { embeds: true }),
    ...(tcf && { tcf }),
  };
  return { ...content, widget };
}

/** ECMA-402, Intl Locale Info, which is missing in the types of ES2024. */
interface LocaleTextInfo {
  getTextInfo(): { direction: "ltr" | "rtl" };
}

/** The direction of a language's script; `ltr` if it is no valid language tag. */
function toDirection(language: string): string {
  try {
    const locale = new Intl.Locale(language) as Intl.Locale & LocaleTextInfo;
    return locale.getTextInfo().direction;
  } catch {
    return "ltr";
  }
}
