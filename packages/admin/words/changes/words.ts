import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What is said of what one version changed against another. */
export const changesWords = toWords({ en, fr });
