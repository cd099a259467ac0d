import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screens of both logs say. */
export const trailWords = toWords({ en, fr });
