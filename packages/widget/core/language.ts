/** A number of months in words, in the plural forms of the language. */
export function toMonths(count: number, language: string): string {
  const months = { style: "unit", unit: "month", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(toLocale(language), months).format(count);
}

/** A day, as the language writes it. */
export function toDay(date: string, language: string): string {
  return new Intl.DateTimeFormat(toLocale(language), { dateStyle: "long" }).format(new Date(date));
}

/** The tag where browsers know its form (BCP 47); otherwise the browser's own language. */
function toLocale(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
