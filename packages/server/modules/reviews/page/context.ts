import type { Language } from "../../evidence/log/schema.ts";
import type { LinkRow } from "../links/links.ts";
import type { ReviewWords } from "../words/en.ts";

/** A place in a draft, as the page's addresses name it. */
export interface DraftPlace {
  configurationId: string;
  pointer: string;
}

export interface PageOptions {
  language: Language;
  link: LinkRow;
  /** The address of the page itself. */
  self: string;
  /** The address of the admin app's preview page. */
  previewHref: string;
  /** The act that was just done. */
  done: keyof ReviewWords["done"] | undefined;
  /** The place that the new comment is about. */
  about: DraftPlace | undefined;
}

export type PageContext = PageOptions & { words: ReviewWords };

/** A day in UTC: without scripts, the page cannot know the reader's time zone. */
export function toDay(date: Date, { locale }: Pick<ReviewWords, "locale">): string {
  return date.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}
