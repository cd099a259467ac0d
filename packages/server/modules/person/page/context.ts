import type { Region } from "@avow/contract/regions";
import type { Language } from "../../evidence/log/schema.ts";
import type { Link } from "../../consents/links/links.ts";
import type { PageBrand } from "./frame.ts";
import type { PersonWords } from "../words/en.ts";

export interface PageOptions {
  language: Language;
  /** The link of the page. */
  link: Link;
  /** The secret of the link, which is only used in the addresses of downloads. */
  secret: string;
  /** The visitor's region, for the authority that they can complain to; undefined if unknown. */
  region: Region | undefined;
  /** The brand of the project's organization. */
  brand: PageBrand | undefined;
}

export type PageContext = PageOptions & { words: PersonWords };

/** A time in UTC, like `toDate`. */
export function toTime(date: Date, { locale }: PersonWords): string {
  return `${date.toLocaleTimeString(locale, { timeStyle: "short", timeZone: "UTC" })} UTC`;
}

export function toDay(date: Date, { locale }: PersonWords): string {
  return date.toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });
}

/** Times are in UTC, as in receipts: without scripts, the page cannot know the reader's time zone. */
export function toDate(date: Date, { locale }: PersonWords): string {
  const text = date.toLocaleString(locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return `${text} UTC`;
}
