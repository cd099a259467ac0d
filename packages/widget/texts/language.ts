/** Formats a number of days or months in a language, in its plural form. */
export function toDuration(count: number, unit: "day" | "month", language: string): string {
  const long = { style: "unit", unit, unitDisplay: "long" } as const;
  return new Intl.NumberFormat(toLocale(language), long).format(count);
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
