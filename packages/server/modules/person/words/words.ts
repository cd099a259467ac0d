import type { Language } from "../../evidence/log/schema.ts";
import { type PersonWords, en } from "./en.ts";
import { fr } from "./fr.ts";

/** The texts of the page, by language. */
export const personWords: Record<Language, PersonWords> = { en, fr };
