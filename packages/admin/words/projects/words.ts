import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the settings of a project say. */
export const projectWords = toWords({ en, fr });
