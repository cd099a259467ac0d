import { readObject, readText } from "./json.ts";

/** The display name of a configuration, a part of one, or an officer: its first non-blank text. */
export function titleOf(item: unknown): string | undefined {
  const { title, text, name, fullname } = readObject(item);
  return readText(title) ?? readText(text) ?? readText(name) ?? readText(fullname);
}
