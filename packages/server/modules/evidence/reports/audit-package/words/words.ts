import type { Language } from "../../../log/schema.ts";
import { type Words, en } from "./en.ts";
import { fr } from "./fr.ts";

export type { Words } from "./en.ts";

/** The texts of an audit package, by language. */
export const wordsOf: Record<Language, Words> = { en, fr };
