import { type Language, languages } from "../../log/schema.ts";
import { type Words, en } from "./words-en.ts";
import { fr } from "./words-fr.ts";

/** The texts of a proof's PDF, by language. */
export const wordsOf: Record<Language, Words> = { en, fr };

/** The texts of the requested language, else of the record's language, else in English. */
export function toWords(
  requested: Language | undefined,
  recordLanguage: string | undefined,
): { language: Language; words: Words } {
  const own = languages.find(
    (language) => recordLanguage?.toLowerCase().split("-")[0] === language,
  );
  const language = requested ?? own ?? "en";
  return { language, words: wordsOf[language] };
}
