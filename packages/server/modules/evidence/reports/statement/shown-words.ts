import type { ShownText } from "./shown.ts";
import type { Words } from "./words-en.ts";

/** Formats a duration for people; returns other texts unchanged. */
export function toReadableText(
  { text, months }: ShownText,
  { locale }: Pick<Words, "locale">,
): string {
  if (months === undefined) return text;
  const form = { style: "unit", unit: "month", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale, form).format(months);
}

/** The label of a text: its kind, or for a widget's text, its purpose by the last part of its path. */
export function toTextLabel({ kind, name }: ShownText, { shown }: Pick<Words, "shown">): string {
  if (name === undefined) return shown.kinds[kind];
  const path = name.split(".").slice(1).join(".");
  return shown.strings[path.split(".").at(-1) ?? path] ?? path;
}
