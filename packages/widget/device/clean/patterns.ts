/** Limit of a name: cookies are shorter, and longer keys of storage are not compared. */
const NAME_LENGTH_MAX = 4_096;
/** Limit of patterns with a wildcard, each of which is compared with each name. */
const WILDCARDS_MAX = 1_000;

const WILDCARD = "*";

/** Whether a name contains a wildcard. */
export function isPattern(name: string): boolean {
  return name.includes(WILDCARD);
}

/**
 * Returns whether a name equals one of `names` or matches one of them, in which `*` stands for any characters. A name of
 * wildcards alone matches nothing, because it would match the data of the site itself.
 */
export function toMatcher(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !isPattern(name)));
  const patterns = [...new Set(names.filter(isPattern))]
    .map((name) => name.split(WILDCARD))
    .filter((parts) => parts.some(Boolean))
    .slice(0, WILDCARDS_MAX);
  return (name) =>
    exact.has(name) ||
    (name.length <= NAME_LENGTH_MAX && patterns.some((parts) => matches(name, parts)));
}

/**
 * Whether a name consists of `parts`, in order, with any characters between them. The first and the last one are at its
 * ends. The earliest place of each of the others leaves the most for the next, so nothing is tried twice.
 */
function matches(name: string, parts: readonly string[]): boolean {
  const [start = "", ...middle] = parts;
  const end = middle.pop() ?? "";
  const last = name.length - end.length;
  if (start.length > last || !name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of middle) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= last;
}
