import type { StoredItem } from "@avow/contract/configuration";

const NAME_LENGTH_MAX = 256;
const REGEX_LENGTH_MAX = 500;

/** A stored item, with texts of its fields only where there are any; undefined without a usable name. */
export function toStoredItem({
  name,
  ...texts
}: {
  name: string | undefined;
  kind?: StoredItem["kind"];
  purpose?: string | undefined;
  duration?: string | undefined;
  provider?: string | undefined;
  domain?: string | undefined;
  path?: string | undefined;
}): StoredItem | undefined {
  if (name === undefined || name === "" || name.length > NAME_LENGTH_MAX) return undefined;
  const given = Object.entries(texts).filter(([, value]) => value !== undefined && value !== "");
  return { name, ...(Object.fromEntries(given) as Omit<StoredItem, "name">) };
}

/**
 * Names with `*` that match what a regular expression of a cookie's name does, if it has no more than anchors,
 * alternatives and `.*`; none for others. `^(_ga|_gid)` is `_ga*` and `_gid*`.
 */
export function toNamePatterns(regex: string): string[] {
  if (regex.length > REGEX_LENGTH_MAX) return [];
  const [, start = "", body = "", end = ""] = /^(\^?)(.*?)(\$?)$/.exec(regex) ?? [];
  const grouped = /^([^()]*)\((?:\?:)?([^()]*)\)([^()]*)$/.exec(body);
  const alternatives = grouped
    ? (grouped[2] ?? "").split("|").map((part) => `${grouped[1] ?? ""}${part}${grouped[3] ?? ""}`)
    : body.split("|");
  const names = alternatives.map((part) => {
    const name = part.replaceAll(/\.[*+]\??/g, "*").replaceAll(/\\([.\-_$])/g, "$1");
    const whole = `${start === "" ? "*" : ""}${name}${end === "" ? "*" : ""}`;
    return whole.replaceAll(/\*{2,}/g, "*");
  });
  const isPlain = names.every((name) => /^[\w*.\-$:]{1,256}$/.test(name) && name !== "*");
  return isPlain ? names : [];
}
