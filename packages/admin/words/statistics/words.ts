import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screen of statistics says. */
export const statisticsWords = toWords({ en, fr });
