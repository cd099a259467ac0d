import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What is said of the partners of IAB's framework. */
export const tcfWords = toWords({ en, fr });
