import type { Finding } from "@avow/client/operations";
import { type Language, language } from "../words.ts";
import { type FindingText, findingsFr } from "./fr.ts";

/** A text, and the language that it is in. */
type Localized<T> = T & { lang: Language };

/** What a finding says in the language that is shown; what has no words here stays as the service says it. */
export function sayFinding({ rule, about, path, message, fix }: Finding): Localized<FindingText> {
  const own = language.value === "fr" ? findingsFr[rule]?.(about, { path }) : undefined;
  return own ? { ...own, lang: "fr" } : { message, fix, lang: "en" };
}
