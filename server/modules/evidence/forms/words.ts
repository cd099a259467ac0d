import { type Words, en } from "./words-en.ts";
import { fr } from "./words-fr.ts";

/** The languages that a PDF is written in. */
export const languages = ["en", "fr"] as const;
export type Language = (typeof languages)[number];

const words: Record<Language, Words> = { en, fr };

/** The words of a language that was asked for, or that a record is in; English for any other. */
export function toWords(
  asked: Language | undefined,
  recordLanguage: string | undefined,
): { language: Language; words: Words } {
  const own = languages.find(
    (language) => recordLanguage?.toLowerCase().split("-")[0] === language,
  );
  const language = asked ?? own ?? "en";
  return { language, words: words[language] };
}
