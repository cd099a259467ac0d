import { type Language, languages } from "../../log/schema.ts";
import { type Words, en } from "./words-en.ts";
import { fr } from "./words-fr.ts";

/** What the forms of a proof say of their own, in each language. */
export const wordsOf: Record<Language, Words> = { en, fr };

/** The words of a language that was asked for, or that a record is in; English for any other. */
export function toWords(
  asked: Language | undefined,
  recordLanguage: string | undefined,
): { language: Language; words: Words } {
  const own = languages.find(
    (language) => recordLanguage?.toLowerCase().split("-")[0] === language,
  );
  const language = asked ?? own ?? "en";
  return { language, words: wordsOf[language] };
}
