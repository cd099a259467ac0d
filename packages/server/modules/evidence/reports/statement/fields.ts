/** A JSON object that anybody may have written: each reader looks at what is there. */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one for anything else. */
export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** The objects of a list; none for anything else. */
export function toList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(toFields) : [];
}

/** A text that says something; undefined for anything else. */
export function toLine(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The texts of a list; none for anything else. */
export function toLines(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((each) => toLine(each) ?? []) : [];
}

export function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
