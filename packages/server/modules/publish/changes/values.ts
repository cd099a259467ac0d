import { parse } from "culori";
import type { ChangeValue, ChangeKind } from "./change.ts";
import { titleOf } from "@avow/contract/titles";
import { type Cut, cut, cutAround, toReadText } from "./excerpts.ts";

const LIST_MAX = 20;
const ENTRY_LENGTH_MAX = 60;
/** Fields whose texts are HTML. */
const markup = new Set(["message", "content"]);
const colors = new Set(["main", "background", "text", "title"]);

/** The values of a change as they are read in a list; either is missing where there was or is nothing. */
export function toValues({
  kind,
  keys,
  before,
  after,
}: {
  kind: ChangeKind;
  keys: readonly string[];
  before?: unknown;
  after?: unknown;
}): { before?: ChangeValue; after?: ChangeValue } {
  if (kind === "moved") return { before: toPlace(before), after: toPlace(after) };
  if (Array.isArray(before) || Array.isArray(after))
    return toListValues(toList(before), toList(after));
  if (typeof before === "string" && typeof after === "string" && !isColor(keys, after))
    return toTextValues(before, after, keys);
  return { ...named("before", toValue(before, keys)), ...named("after", toValue(after, keys)) };
}

function toPlace(value: unknown): ChangeValue {
  return typeof value === "number"
    ? { type: "position", text: String(value) }
    : { type: "step", text: cut(String(value)).text };
}

function toValue(value: unknown, keys: readonly string[]): ChangeValue | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return { type: "switch", text: value ? "on" : "off" };
  if (typeof value === "number") return { type: "number", text: String(value) };
  if (typeof value !== "string") return toText(cut(JSON.stringify(value)));
  if (isColor(keys, value)) return { type: "color", text: cut(value).text };
  return toText(cut(toShown(value, keys)));
}

function toTextValues(before: string, after: string, keys: readonly string[]) {
  // Of what only reads the same the tags are shown, since they are what is another.
  const shown = [before, after].map((text) => toShown(text, keys));
  const [from = "", to = ""] = shown[0] === shown[1] ? [before, after] : shown;
  if (from === "" || to === "") return { ...whole("before", from), ...whole("after", to) };
  const [was, is] = cutAround(from, to);
  return { before: toText(was), after: toText(is) };
}

function whole<K extends string>(name: K, text: string): { [name in K]?: ChangeValue } {
  return named(name, text === "" ? undefined : toText(cut(text)));
}

function named<K extends string>(
  name: K,
  value: ChangeValue | undefined,
): { [name in K]?: ChangeValue } {
  return (value === undefined ? {} : { [name]: value }) as { [name in K]?: ChangeValue };
}

function toText({ text, parts, words }: Cut): ChangeValue {
  return {
    type: "text",
    text,
    ...(parts && { parts }),
    ...(words !== undefined && { count: words }),
  };
}

function toShown(text: string, keys: readonly string[]): string {
  return markup.has(keys.at(-1) ?? "") ? toReadText(text) : text;
}

/** Under the design's colours whatever the browser takes for one; elsewhere what is written as none but a colour is. */
function isColor(keys: readonly string[], value: string): boolean {
  const isNamed = keys.includes("colors") && colors.has(keys.at(-1) ?? "");
  const isWritten = /^(?:#[0-9a-f]{3,8}$|[a-z]{3,5}\()/i.test(value);
  return value.length <= 100 && (isNamed || isWritten) && parse(value.trim()) !== undefined;
}

/** Of lists what is gone from the earlier and what is new in the later; all of both where only the order is another. */
function toListValues(before: readonly string[], after: readonly string[]) {
  const [was, is] = [new Set(before), new Set(after)];
  const gone = before.filter((one) => !is.has(one));
  const come = after.filter((one) => !was.has(one));
  const isOrder = gone.length + come.length === 0;
  return {
    ...named("before", toListValue(isOrder ? before : gone)),
    ...named("after", toListValue(isOrder ? after : come)),
  };
}

function toList(value: unknown): string[] {
  if (value === undefined || value === null || value === "") return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((one) => {
    if (typeof one === "string") return one;
    return titleOf(one) ?? JSON.stringify(one);
  });
}

function toListValue(list: readonly string[]): ChangeValue | undefined {
  if (list.length === 0) return undefined;
  let text = "";
  let told = 0;
  for (const one of list.slice(0, LIST_MAX)) {
    const next = cut(one, ENTRY_LENGTH_MAX).text;
    if (told > 0 && text.length + next.length > 200) break;
    text += (told > 0 ? ", " : "") + next;
    told += 1;
  }
  const isCut = told < list.length;
  return { type: "list", text: isCut ? `${text}, …` : text, ...(isCut && { count: list.length }) };
}
