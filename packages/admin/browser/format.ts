import { language, words } from "../words/words.ts";

const MINUTE_MS = 60_000;
const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", MINUTE_MS],
] as const;
const sizes = [
  ["gigabyte", 1_000_000_000],
  ["megabyte", 1_000_000],
] as const;
const RELATIVE_MS_MAX = 7 * 86_400_000;

/** The current language with the browser's region, if the browser has one for it. */
function toLocale(): string {
  const own = navigator.languages.find((one) => one.split("-")[0] === language.value);
  return own ?? language.value;
}

/** Formats a number. */
export function toNumber(value: number): string {
  return new Intl.NumberFormat(toLocale()).format(value);
}

/** Formats a share from 0 to 1 as a percentage. */
export function toPercent(part: number, maximumFractionDigits = 0): string {
  const options = { style: "percent", maximumFractionDigits } as const;
  return new Intl.NumberFormat(toLocale(), options).format(part);
}

/** Formats bytes as kB, or as MB or GB from 1 of them on, with up to one decimal. */
export function toSize(bytes: number): string {
  const found = sizes.find(([, size]) => bytes >= size) ?? (["kilobyte", 1_000] as const);
  return toQuantity(bytes / found[1], found[0]);
}

/** Formats a duration in its largest unit from seconds to days, with up to one decimal. */
export function toDuration(seconds: number): string {
  const ms = seconds * 1_000;
  const [unit, size] = units.find(([, one]) => ms >= one) ?? (["second", 1_000] as const);
  return toQuantity(ms / size, unit, "long");
}

function toQuantity(value: number, unit: string, unitDisplay: "short" | "long" = "short"): string {
  const options = { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(toLocale(), options).format(value);
}

/** Formats an instant in the browser's time zone, with the zone's name. */
export function toInstant(at: string): string {
  const options = {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
  } as const;
  return new Intl.DateTimeFormat(toLocale(), options).format(new Date(at));
}

/** Formats a day in the time zone, by default that of the browser. */
export function toDay(at: string, timeZone?: string): string {
  const options = { dateStyle: "medium", timeZone } as const;
  return new Intl.DateTimeFormat(toLocale(), options).format(new Date(at));
}

/** Formats the start of a day or an hour in the time zone. The year is left out, because the period shows it. */
export function toStartName(
  at: string,
  { by, timeZone }: { by: "day" | "hour"; timeZone: string },
): string {
  const day = { day: "numeric", month: "short" } as const;
  const options = by === "day" ? day : ({ ...day, hour: "numeric", minute: "2-digit" } as const);
  return new Intl.DateTimeFormat(toLocale(), { ...options, timeZone }).format(new Date(at));
}

/** Formats the time of day in the time zone, by default that of the browser. */
export function toHour(at: string, timeZone?: string): string {
  const options = { hour: "numeric", minute: "2-digit", timeZone } as const;
  return new Intl.DateTimeFormat(toLocale(), options).format(new Date(at));
}

/** Formats an instant relative to now within a week, otherwise as a day. */
export function toAgo(at: string, now = Date.now()): string {
  const ms = new Date(at).getTime() - now;
  const away = Math.abs(ms);
  if (away > RELATIVE_MS_MAX) return toDay(at);
  if (away < MINUTE_MS) return words.value.app.justNow;
  const relative = new Intl.RelativeTimeFormat(toLocale(), { numeric: "auto" });
  const [unit, size] = units.find(([, one]) => away >= one) ?? ["minute", MINUTE_MS];
  return relative.format(Math.round(ms / size), unit);
}

/** Formats a list: “a, b and c”. */
export function toList(items: readonly string[]): string {
  return new Intl.ListFormat(toLocale()).format(items);
}

/** A list with the words between its items: a, “, ”, b, “ and ”, c. */
export function toListParts<T>(items: readonly T[]): (T | string)[] {
  const names = items.map((_, index) => String(index));
  return new Intl.ListFormat(language.value)
    .formatToParts(names)
    .flatMap(({ type, value }) => (type === "element" ? (items[Number(value)] ?? []) : value));
}

/** The name of a language, in the current language. */
export function toLanguageName(code: string): string {
  return new Intl.DisplayNames(language.value, { type: "language" }).of(code) ?? code;
}

/** The name of a country (ISO 3166-1); a subdivision or another code stands for itself. */
export function toRegionName(code: string): string {
  return /^[A-Z]{2}$/.test(code)
    ? (new Intl.DisplayNames(language.value, { type: "region" }).of(code) ?? code)
    : code;
}

/** Formats an amount in the currency's smallest unit. The currency is an ISO 4217 code in any case. */
export function toMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(toLocale(), { style: "currency", currency });
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}

/** Formats a month (1 to 12) of a year. */
export function toMonth(month: number, year: number): string {
  const options = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(toLocale(), options).format(Date.UTC(year, month - 1));
}
