import { readObject, readText } from "./json.ts";

/** What people call a configuration, one of its parts, or an officer: the first that it has of its texts. */
export function titleOf(item: unknown): string | undefined {
  const { title, text, name, fullname } = readObject(item);
  return readText(title) ?? readText(text) ?? readText(name) ?? readText(fullname);
}
