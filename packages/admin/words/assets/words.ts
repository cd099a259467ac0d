import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screens of files say. */
export const assetWords = toWords({ en, fr });
