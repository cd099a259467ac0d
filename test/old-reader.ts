/** A configuration as programs list it that choose a banner or a form from a published file. */
interface ListedConfiguration {
  identifier: string;
  name: string;
  title: string;
  language: string;
}

const lists = ["cookies", "processings", "contracts", "contractsV2"] as const;

/**
 * Lists the configurations of a published file as older readers do: they skip every configuration without a name, a
 * title or a language, and keep one for each name.
 */
export function readLikeOldReader(
  file: Readonly<Record<string, unknown>>,
): (ListedConfiguration & { list: string })[] {
  const found = new Map<string, ListedConfiguration & { list: string }>();
  for (const list of lists)
    for (const one of (file[list] ?? []) as Partial<ListedConfiguration>[]) {
      const { identifier, name, title, language } = one;
      if (!identifier || !name || !title || !language) continue;
      found.set(`${list} ${name} ${language}`, { list, identifier, name, title, language });
    }
  return [...found.values()];
}
