import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

export const statisticsWords = toWords({ en, fr });
