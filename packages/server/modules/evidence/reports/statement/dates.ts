/** Formats the first of a month as French does, unlike `Intl`: "1er janvier 2026". */
export function formatFirstOfMonth(date: string, locale: string): string {
  return locale.startsWith("fr") ? date.replace(/^1(?=\s)/u, "1er") : date;
}
