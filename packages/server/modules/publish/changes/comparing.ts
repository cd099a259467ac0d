import { type JsonObject, isObject, readList, readObject } from "@avow/contract/json";
import { titleOf } from "@avow/contract/titles";
import {
  type ChangeClass,
  type ChangeKind,
  type ChangedConfiguration,
  type ChangedItem,
  type Found,
  type ItemType,
  type Spot,
  toPointer,
} from "./change.ts";
import { identify, matchItems } from "./matching.ts";

/** A change of one field or item, and what it belongs to. */
export interface Leaf extends Found {
  /** The configuration's identifier, or of a vendor that and its slug. */
  owner: string;
  /** The field of the configuration or vendor in which it is. */
  root: string;
}

/** Where two values are compared. */
export interface Comparing extends Spot {
  /** As `path`, of the earlier version. */
  earlier: string;
  owner: string;
  root: string;
  keys: readonly string[];
  /** Where what was found is put. */
  leaves: Leaf[];
}

/** Fields whose texts are not read by visitors. */
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
/** What is of one class whatever changes in it. */
const whole: readonly [path: string, kind: ChangeClass][] = [
  ["/client/DPO", "new-controller"],
  ["/dpo", "new-controller"],
  ["/client/", "design"],
];
/** Lists and records of configurations whose items have a name of their own for people. */
const itemTypesOf: Readonly<Record<string, ItemType>> = {
  processors: "processor",
  buttons: "button",
  confirmations: "confirmation",
};

/** Finds what is another in two objects, field by field, but for those that are compared elsewhere. */
export function compareFields(
  before: unknown,
  after: unknown,
  at: Comparing,
  elsewhere: readonly string[] = [],
): void {
  const [from, to] = [readObject(before), readObject(after)];
  for (const name of new Set([...Object.keys(to), ...Object.keys(from)]))
    if (!elsewhere.includes(name)) compareValues(from[name], to[name], toField(at, name));
}

function toField(at: Comparing, name: string): Comparing {
  return {
    ...at,
    path: toPointer(at.path, name),
    earlier: toPointer(at.earlier, name),
    root: at.root || name,
    // The published file alone has this one around the project's design.
    keys: at.path === "" && name === "client" ? [] : [...at.keys, name],
  };
}

function compareValues(before: unknown, after: unknown, at: Comparing): void {
  if (before === after || (isNothing(before) && isNothing(after))) return;
  const name = at.keys.at(-1) ?? "";
  if (name === "confirmations" && isRecord(before) && isRecord(after)) {
    compareRecord(readObject(before), readObject(after), at);
  } else if (isRecord(before) && isRecord(after)) {
    compareFields(before, after, at);
  } else if (isList(before) && isList(after)) {
    const [from, to] = [readList(before), readList(after)];
    if ([...from, ...to].some((one) => typeof one === "object" && one !== null))
      compareItems(from, to, at);
    else if (!isSameList(from, to)) tell({ before, after }, at);
  } else tell({ before, after }, at);
}

/** Tells of a field; whether it is new, gone or changed its values say. */
function tell({ before, after }: { before: unknown; after: unknown }, at: Comparing): void {
  const emptied: ChangeKind = isNothing(after) ? "removed" : "changed";
  const kind = isNothing(before) ? "new" : emptied;
  const isText = typeof (isNothing(after) ? before : after) === "string";
  const isWords = isText && !settings.has(at.keys.at(-1) ?? "");
  put({ kind, before, after }, at, isWords ? "wording" : "settings");
}

/** Tells of an item or field; its class is `plain` where its place does not say another. */
export function put(
  change: Pick<Found, "kind" | "before" | "after">,
  { leaves, earlier, path, ...at }: Comparing,
  plain: ChangeClass = "settings",
): void {
  leaves.push({
    ...at,
    ...change,
    asks: "nobody",
    path: change.kind === "removed" ? earlier : path,
    class: whole.find(([start]) => path.startsWith(start))?.[1] ?? plain,
  });
}

/** A record whose members are items, such as a screen for each kind of confirmation. */
function compareRecord(before: JsonObject, after: JsonObject, at: Comparing): void {
  for (const name of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const here = toItem(at, { type: "confirmation", name }, [name, name]);
    if (before[name] === undefined) put({ kind: "new" }, here, "wording");
    else if (after[name] === undefined) put({ kind: "removed" }, here, "wording");
    else compareFields(before[name], after[name], here);
  }
}

function compareItems(before: readonly unknown[], after: readonly unknown[], at: Comparing): void {
  const type = itemTypesOf[at.keys.at(-1) ?? ""] ?? "entry";
  const matched = matchItems(before, after, identify);
  const itemAt = (item: unknown, place: number): ChangedItem => ({
    type,
    name: titleOf(item) ?? String(place + 1),
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

/** At an item of a list, by its places before and after. */
export function toItem(
  at: Comparing,
  item: ChangedItem,
  [from, to]: readonly [from: string | number, to: string | number],
): Comparing {
  return {
    ...at,
    path: toPointer(at.path, to),
    earlier: toPointer(at.earlier, from),
    item,
    keys: [],
  };
}

/** How a configuration is called among its changes. */
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

/** An object, or nothing, which is one without fields: what is in it is told, not that it is there. */
function isRecord(value: unknown): boolean {
  return value === undefined || value === null || isObject(value);
}

function isList(value: unknown): boolean {
  return value === undefined || value === null || Array.isArray(value);
}

/** What people see nothing of, whichever of these it is. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function isSameList(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((one, at) => one === after[at]);
}
