/** Fields of something that somebody wrote, of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object's fields; none for anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}
