import { isAsked } from "@avow/contract/answers";
import type { SettledOffer } from "../../consents/offers/questions.ts";
import {
  type Content,
  type PublishedCookies,
  type WidgetContent,
  vendorsOf,
} from "@avow/contract/published";
import { DEFAULT_LANGUAGE } from "./identities.ts";
import { tcfWordsOf } from "./tcf-words.ts";
import { toTheme } from "./theme.ts";
import { wordsOf } from "./words.ts";

/** A selector that continues a list. The widget adds it to its own, since its first file has no bytes to spare. */
const HELD_FRAMES = ",iframe[data-avow-vendor][data-src]";
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
  const hasBoxes = content.processings.length + content.contracts.length > 0;
  const hasEmbeds = content.cookies.some(hasPlaceholders);
  const languages = configurations.map(({ language = DEFAULT_LANGUAGE }) => language);
  const words = [...new Set(languages)].map((language) => {
    const { banner, boxes, embeds } = wordsOf(language);
    const dir = toDirection(language);
    const own = { ...banner, ...(tcf && tcfWordsOf(language)) };
    return [language, { dir, ...(hasBoxes && boxes), ...(hasEmbeds && embeds), ...own }];
  });
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
    ...(hasEmbeds && { embeds: HELD_FRAMES }),
    ...(tcf && { tcf }),
  };
  return { ...content, widget };
}

/** A setting decides; without it, vendors that are asked for and have addresses. */
function hasPlaceholders(cookies: PublishedCookies): boolean {
  const { placeholders } = cookies.settings ?? {};
  if (typeof placeholders === "boolean") return placeholders;
  return [...vendorsOf(cookies).values()].some(({ required, hosts }) => !required && hosts?.[0]);
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
