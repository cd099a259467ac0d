/** The first of a month as French writes it, which `Intl` does not: "1er janvier 2026". */
export function toFirst(date: string, locale: string): string {
  return locale.startsWith("fr") ? date.replace(/^1(?=\s)/u, "1er") : date;
}
