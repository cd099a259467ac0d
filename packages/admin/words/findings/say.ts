import type { Finding } from "@avow/client/operations";
import { type Language, language } from "../words.ts";
import { type FindingText, findingsFr } from "./fr.ts";

/** A text with its language. */
type Localized<T> = T & { lang: Language };

/** The message of a finding in the current language; the service's English one if there is no translation. */
export function sayFinding({ rule, about, path, message, fix }: Finding): Localized<FindingText> {
  const own = language.value === "fr" ? findingsFr[rule]?.(about, { path }) : undefined;
  return own ? { ...own, lang: "fr" } : { message, fix, lang: "en" };
}
