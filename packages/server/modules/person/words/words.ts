import type { Language } from "../../evidence/log/schema.ts";
import { type PersonWords, en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the page says of its own, in each language. */
export const personWords: Record<Language, PersonWords> = { en, fr };
