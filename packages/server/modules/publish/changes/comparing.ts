import { type JsonObject, isObject, readList, readObject } from "@avow/contract/json";
import { titleOf } from "@avow/contract/labels";
import {
  type ChangeClass,
  type ChangeKind,
  type ChangedConfiguration,
  type ChangedItem,
  type DetectedChange,
  type ItemType,
  type ChangeLocation,
  toPointer,
} from "./change.ts";
import { identify, matchItems } from "./matching.ts";

/** A change of one field or item. */
export interface Leaf extends DetectedChange {
  /** The configuration's identifier, followed by the slug for a vendor. */
  owner: string;
  /** The top-level field of the configuration or vendor. */
  root: string;
}

/** The position at which two values are compared. */
export interface Comparison extends ChangeLocation {
  /** The path in the earlier version. */
  earlier: string;
  owner: string;
  root: string;
  keys: readonly string[];
  /** Collects the changes. */
  leaves: Leaf[];
}

/** Fields with texts that visitors do not read. */
const settings = new Set([
  "color",
  "country",
  "domain",
  "file",
  "image",
  "isDefault",
  "language",
  "layout",
  "name",
  "picture",
  "policyUrl",
  "type",
  "website",
]);
/** Paths whose changes all have the same class. */
const classesByPath: readonly [path: string, kind: ChangeClass][] = [
  ["/client/DPO", "new-controller"],
  ["/dpo", "new-controller"],
  ["/client/", "design"],
];
/** Types of items by the list or record that contains them. */
const itemTypesOf: Readonly<Record<string, ItemType>> = {
  processors: "processor",
  buttons: "button",
  confirmations: "confirmation",
};

/** Compares two objects field by field, except for fields that are compared elsewhere. */
export function compareFields(
  before: unknown,
  after: unknown,
  at: Comparison,
  elsewhere: readonly string[] = [],
): void {
  const [from, to] = [readObject(before), readObject(after)];
  for (const name of new Set([...Object.keys(to), ...Object.keys(from)]))
    if (!elsewhere.includes(name)) compareValues(from[name], to[name], toField(at, name));
}

function toField(at: Comparison, name: string): Comparison {
  return {
    ...at,
    path: toPointer(at.path, name),
    earlier: toPointer(at.earlier, name),
    root: at.root || name,
    // Only the published file, not the document, nests the project's design in `client`.
    keys: at.path === "" && name === "client" ? [] : [...at.keys, name],
  };
}

function compareValues(before: unknown, after: unknown, at: Comparison): void {
  if (before === after || (isEmpty(before) && isEmpty(after))) return;
  const name = at.keys.at(-1) ?? "";
  if (name === "confirmations" && isRecord(before) && isRecord(after)) {
    compareRecord(readObject(before), readObject(after), at);
  } else if (isRecord(before) && isRecord(after)) {
    compareFields(before, after, at);
  } else if (isList(before) && isList(after)) {
    const [from, to] = [readList(before), readList(after)];
    if ([...from, ...to].some((one) => typeof one === "object" && one !== null))
      compareItems(from, to, at);
    else if (!isSameList(from, to)) addFieldChange({ before, after }, at);
  } else addFieldChange({ before, after }, at);
}

/** Adds the change of a field; its kind follows from the values. */
function addFieldChange(
  { before, after }: { before: unknown; after: unknown },
  at: Comparison,
): void {
  const kindOfExisting: ChangeKind = isEmpty(after) ? "removed" : "changed";
  const kind = isEmpty(before) ? "new" : kindOfExisting;
  const isText = typeof (isEmpty(after) ? before : after) === "string";
  const isWording = isText && !settings.has(at.keys.at(-1) ?? "");
  put({ kind, before, after }, at, isWording ? "wording" : "settings");
}

/** Adds a change of an item or field; its class is `fallback` unless its path has one. */
export function put(
  change: Pick<DetectedChange, "kind" | "before" | "after">,
  { leaves, earlier, path, ...at }: Comparison,
  fallback: ChangeClass = "settings",
): void {
  leaves.push({
    ...at,
    ...change,
    asks: "nobody",
    path: change.kind === "removed" ? earlier : path,
    class: classesByPath.find(([start]) => path.startsWith(start))?.[1] ?? fallback,
  });
}

/** A record whose members are items, such as a screen for each kind of confirmation. */
function compareRecord(before: JsonObject, after: JsonObject, at: Comparison): void {
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const here = toItem(at, { type: "confirmation", name }, [name, name]);
    if (before[name] === undefined) put({ kind: "new" }, here, "wording");
    else if (after[name] === undefined) put({ kind: "removed" }, here, "wording");
    else compareFields(before[name], after[name], here);
  }
}

function compareItems(before: readonly unknown[], after: readonly unknown[], at: Comparison): void {
  const type = itemTypesOf[at.keys.at(-1) ?? ""] ?? "entry";
  const matched = matchItems(before, after, identify);
  const itemAt = (item: unknown, index: number): ChangedItem => ({
    type,
    name: titleOf(item) ?? String(index + 1),
  });
  for (const [from, to] of matched.pairs) {
    const here = toItem(at, itemAt(after[to], to), [from, to]);
    if (matched.moved.has(to)) put({ kind: "moved", before: from + 1, after: to + 1 }, here);
    if (isRecord(before[from]) && isRecord(after[to])) compareFields(before[from], after[to], here);
    else compareValues(before[from], after[to], here);
  }
  for (const to of matched.added) put({ kind: "new" }, toItem(at, itemAt(after[to], to), [to, to]));
  for (const from of matched.removed)
    put({ kind: "removed" }, toItem(at, itemAt(before[from], from), [from, from]));
}

/** The position of a list's item, by its indexes before and after. */
export function toItem(
  at: Comparison,
  item: ChangedItem,
  [from, to]: readonly [from: string | number, to: string | number],
): Comparison {
  return {
    ...at,
    path: toPointer(at.path, to),
    earlier: toPointer(at.earlier, from),
    item,
    keys: [],
  };
}

export function toChangedConfiguration(
  collection: ChangedConfiguration["collection"],
  body: JsonObject & { identifier: string },
): ChangedConfiguration {
  const { language, identifier } = body;
  return {
    collection,
    identifier,
    name: titleOf(body) ?? identifier,
    ...(typeof language === "string" && language !== "" && { language }),
  };
}

/** An object or nothing. Nothing counts as an object without fields, so that changes are listed by field. */
function isRecord(value: unknown): boolean {
  return value === undefined || value === null || isObject(value);
}

function isList(value: unknown): boolean {
  return value === undefined || value === null || Array.isArray(value);
}

/** Values that look the same to people: none. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function isSameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((one, at) => one === after[at]);
}
