import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screen of one's own account says. */
export const accountWords = toWords({ en, fr });
