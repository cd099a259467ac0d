/** Formats a number of months in a language. */
export function toMonths(count: number, language: string): string {
  const months = { style: "unit", unit: "month", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(toLocale(language), months).format(count);
}

/** Formats a date in a language. */
export function toDay(date: string, language: string): string {
  return new Intl.DateTimeFormat(toLocale(language), { dateStyle: "long" }).format(new Date(date));
}

/** The canonical tag (BCP 47); undefined for an invalid one, so that the browser's language is used. */
function toLocale(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
