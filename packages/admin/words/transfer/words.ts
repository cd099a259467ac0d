import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

export const transferWords = toWords({ en, fr });
