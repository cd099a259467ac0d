/** A JSON object without declared fields: each reader checks the ones that it uses. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** An object; neither a list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one for anything else. */
export function readObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The value as a list; an empty one for anything else. */
export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; none for anything else. */
export function readObjects(value: unknown): JsonObject[] {
  return readList(value).filter(isObject);
}

/** The value if it is a text with a visible character, else undefined. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
