import type { Language } from "../../evidence/log/schema.ts";
import { type ReviewWords, en } from "./en.ts";
import { fr } from "./fr.ts";

/** The texts of the review page, by language. */
export const reviewWords: Record<Language, ReviewWords> = { en, fr };
