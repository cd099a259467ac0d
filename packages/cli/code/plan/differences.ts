import { isDeepStrictEqual } from "node:util";
import { isObject, readText } from "@avow/contract/json";

/** A difference between two values of a document. */
export interface FieldChange {
  /** Its path for people, such as `steps[welcome].title`. */
  path: string;
  /** Undefined for an added field. */
  before?: unknown;
  /** Undefined for a removed field. */
  after?: unknown;
}

/** Maximum number of differences of one document that are listed. */
const CHANGES_MAX = 200;

/** The differences field by field. Entries of lists that have names are matched by these. */
export function listChanges(before: unknown, after: unknown): FieldChange[] {
  const changes: FieldChange[] = [];
  compare(before, after, { path: "", changes });
  return changes.slice(0, CHANGES_MAX);
}

interface Comparison {
  path: string;
  changes: FieldChange[];
}

function compare(before: unknown, after: unknown, { path, changes }: Comparison): void {
  if (isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const name = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
      const here = path === "" ? name : `${path}.${name}`;
      compare(before[key], after[key], { path: here, changes });
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, { path, changes });
    return;
  }
  changes.push({
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  { path, changes }: Comparison,
): void {
  const [earlier, later] = [toNamed(before), toNamed(after)];
  if (!earlier || !later) {
    const count = Math.max(before.length, after.length);
    for (let at = 0; at < count; at += 1)
      compare(before[at], after[at], { path: `${path}[${at}]`, changes });
    return;
  }
  for (const name of new Set([...earlier.keys(), ...later.keys()]))
    compare(earlier.get(name), later.get(name), { path: `${path}[${name}]`, changes });
  const [order, newOrder] = [listCommon(earlier, later), listCommon(later, earlier)];
  if (!isDeepStrictEqual(order, newOrder))
    changes.push({ path: `${path} (order)`, before: order, after: newOrder });
}

/** The names of a list that another has too, in its order. */
function listCommon(
  own: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): string[] {
  return [...own.keys()].filter((name) => other.has(name));
}

/** The entries of a list by their names, if each has one of its own. */
function toNamed(list: readonly unknown[]): Map<string, unknown> | undefined {
  const named = new Map<string, unknown>();
  for (const entry of list) {
    const name = isObject(entry) ? readText(entry["name"]) : readText(entry);
    if (name === undefined || named.has(name)) return undefined;
    named.set(name, entry);
  }
  return named;
}
