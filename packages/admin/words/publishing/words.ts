import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What is said of publishing later, elsewhere, in spite of errors, and of its end. */
export const publishingWords = toWords({ en, fr });
