/** Maximum number of groups of a project. */
export const GROUPS_MAX = 20;
/** Maximum length of a group's name, in UTF-16 code units. */
export const GROUP_LENGTH_MAX = 60;

/** The form in which two names of groups are compared: case and Unicode composition make no difference. */
export function toGroupKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** The names in a text in which they are separated by commas, semicolons or bars, each once. */
export function parseGroups(text: string): string[] {
  const names = text.split(/[,;|]/).map((name) => name.trim().replaceAll(/\s+/g, " "));
  return mergeGroups(names.filter((name) => name !== ""));
}

/** The names in their order, each once; of two that differ in case, the first stays. */
export function mergeGroups(...lists: readonly (readonly string[])[]): string[] {
  const byKey = new Map<string, string>();
  for (const name of lists.flat())
    if (!byKey.has(toGroupKey(name))) byKey.set(toGroupKey(name), name);
  return [...byKey.values()];
}

/** The names without those of `removed`, whatever their case. */
export function withoutGroups(names: readonly string[], removed: readonly string[]): string[] {
  const gone = new Set(removed.map(toGroupKey));
  return names.filter((name) => !gone.has(toGroupKey(name)));
}
