import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screens of webhooks say. */
export const webhookWords = toWords({ en, fr });
