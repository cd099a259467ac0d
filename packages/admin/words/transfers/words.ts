import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screen of exports and imports says. */
export const transferWords = toWords({ en, fr });
