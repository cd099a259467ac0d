import { toWords } from "../words.ts";
import { en } from "./en.ts";
import { fr } from "./fr.ts";

/** What the screens of organizations, their people and their plans say. */
export const organizationWords = toWords({ en, fr });
