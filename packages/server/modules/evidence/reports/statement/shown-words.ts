import type { ShownText } from "./shown.ts";
import type { Words } from "./words-en.ts";

/** A time as people write it; other texts as they are. */
export function toReadableText(
  { text, months }: ShownText,
  { locale }: Pick<Words, "locale">,
): string {
  if (months === undefined) return text;
  const form = { style: "unit", unit: "month", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(locale, form).format(months);
}

/** What a text is called; of a widget's own words what they are for, without the list that they are in. */
export function toTextLabel({ kind, name }: ShownText, { shown }: Pick<Words, "shown">): string {
  if (name === undefined) return shown.kinds[kind];
  const said = name.split(".").slice(1).join(".");
  return shown.strings[said.split(".").at(-1) ?? said] ?? said;
}
