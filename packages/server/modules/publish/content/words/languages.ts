/**
 * The languages of the widget's texts: the official ones of the European Union, ten of the most spoken others, Norwegian,
 * and two variants whose words differ. Turkish and Korean are among the ten, because more websites are in them than in
 * Marathi, Telugu or Tamil, which have more speakers.
 */
export const widgetLanguages = [
  "bg",
  "cs",
  "da",
  "de",
  "el",
  "en",
  "es",
  "et",
  "fi",
  "fr",
  "ga",
  "hr",
  "hu",
  "it",
  "lt",
  "lv",
  "mt",
  "nl",
  "pl",
  "pt",
  "ro",
  "sk",
  "sl",
  "sv",
  "ar",
  "bn",
  "hi",
  "id",
  "ja",
  "ko",
  "ru",
  "tr",
  "ur",
  "zh",
  "nb",
  "pt-BR",
  "zh-Hant",
] as const;

export type WidgetLanguage = (typeof widgetLanguages)[number];

/** Texts by language and name. The compiler rejects a missing language and a missing text. */
export type WordTable<Name extends string> = Readonly<
  Record<WidgetLanguage, Readonly<Record<Name, string>>>
>;

/** Language tags whose texts are not those of their base language. Chinese is in simplified characters by default. */
const variants: readonly (readonly [RegExp, WidgetLanguage])[] = [
  [/^zh-(?:hant|tw|hk|mo)(?:-|$)/i, "zh-Hant"],
  [/^pt-br(?:-|$)/i, "pt-BR"],
  [/^(?:no|nn)(?:-|$)/i, "nb"],
];

/** The language of the widget's texts for a language tag (BCP 47): its variant, otherwise its base language. */
export function findLanguage(tag: string): WidgetLanguage | undefined {
  const [, variant] = variants.find(([pattern]) => pattern.test(tag)) ?? [];
  const [base] = tag.toLowerCase().split("-", 1);
  return variant ?? widgetLanguages.find((one) => one === base);
}
