import { readObject, readText } from "@avow/contract/json";
import {
  type AnyConfiguration,
  type AssumedField,
  type Content,
  type Identified,
  type ListName,
  type PublishedLists,
  listNames,
} from "@avow/contract/published";
import { titleOf } from "@avow/contract/labels";
import { toNameBase, toUniqueName } from "../../vault/documents/names.ts";

/** The language of a configuration without one in a project without locales: that of the widget's texts. */
export const DEFAULT_LANGUAGE = "en";

interface Identities {
  /** The languages of the project. */
  locales: readonly string[] | undefined;
  /** The names in the vault by identifier, for configurations that were published before they had one. */
  names?: ReadonlyMap<string, string>;
}

type AnyIdentified = AnyConfiguration & Identified & { config?: unknown };

/**
 * A content whose configurations all have a name, a title and a language (wire section 9), since readers skip those
 * without. `assumed` lists the fields that stand in for missing ones.
 */
export function withIdentities(
  content: Content,
  { locales, names = new Map() }: Identities,
): Content {
  const taken = new Set(names.values());
  for (const list of listNames)
    for (const { name } of content[list] as AnyIdentified[]) if (name) taken.add(name);
  const toName = ({ identifier, ...body }: AnyIdentified): string => {
    const name = toUniqueName(toNameBase(identifier, body), taken);
    taken.add(name);
    return name;
  };
  const complete = (one: AnyIdentified): AnyIdentified => {
    const name = readText(one.name) ?? names.get(one.identifier) ?? toName(one);
    const language = readText(one.language);
    const title = readText(one.title) ?? readText(readObject(one.config)["title"]);
    const assumed: AssumedField[] = [];
    if (title === undefined) assumed.push("title");
    if (language === undefined) assumed.push("language");
    return {
      ...(assumed.length > 0 && { assumed }),
      ...one,
      name,
      title: title ?? titleOf({ ...one, name }) ?? name,
      language: language ?? locales?.[0] ?? DEFAULT_LANGUAGE,
    };
  };
  // A configuration keeps the type of its list.
  const toList = <L extends ListName>(list: L) =>
    (content[list] as AnyIdentified[]).map(complete) as PublishedLists[L];
  return {
    ...content,
    contractsV2: toList("contractsV2"),
    contracts: toList("contracts"),
    processings: toList("processings"),
    cookies: toList("cookies"),
  };
}
