import type { Language } from "../../../log/schema.ts";
import { type Words, en } from "./en.ts";
import { fr } from "./fr.ts";

export type { Words } from "./en.ts";

/** What a dossier says to people, in each language. */
export const wordsOf: Record<Language, Words> = { en, fr };
