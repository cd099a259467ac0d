import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screens of consents say. */
export const consentWords = toWords({ en, fr });
