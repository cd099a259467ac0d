import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

export const notificationWords = toWords({ en, fr });
