import { parse } from "culori";
import type { ChangeValue, ChangeKind } from "./change.ts";
import { titleOf } from "@avow/contract/labels";
import { type Excerpt, cut, cutAround, toReadText } from "./excerpts.ts";

const LIST_MAX = 20;
const ENTRY_LENGTH_MAX = 60;
/** Fields with HTML. */
const markup = new Set(["message", "content"]);
const colors = new Set(["main", "background", "text", "title"]);

/** The values of a change for a list; either is missing where the value was or is empty. */
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
  if (kind === "moved") return { before: toPosition(before), after: toPosition(after) };
  if (Array.isArray(before) || Array.isArray(after))
    return toListValues(toList(before), toList(after));
  if (typeof before === "string" && typeof after === "string" && !isColor(keys, after))
    return toTextValues(before, after, keys);
  return { ...named("before", toValue(before, keys)), ...named("after", toValue(after, keys)) };
}

function toPosition(value: unknown): ChangeValue {
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
  return toText(cut(toVisible(value, keys)));
}

function toTextValues(before: string, after: string, keys: readonly string[]) {
  // If the visible texts are the same, the tags differ: show them.
  const visible = [before, after].map((text) => toVisible(text, keys));
  const [from = "", to = ""] = visible[0] === visible[1] ? [before, after] : visible;
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

function toText({ text, parts, words }: Excerpt): ChangeValue {
  return {
    type: "text",
    text,
    ...(parts && { parts }),
    ...(words !== undefined && { count: words }),
  };
}

function toVisible(text: string, keys: readonly string[]): string {
  return markup.has(keys.at(-1) ?? "") ? toReadText(text) : text;
}

/** In the design's color fields, any CSS color; elsewhere, only notations that are unmistakably a color. */
function isColor(keys: readonly string[], value: string): boolean {
  const isNamed = keys.includes("colors") && colors.has(keys.at(-1) ?? "");
  const isNotation = /^(?:#[0-9a-f]{3,8}$|[a-z]{3,5}\()/i.test(value);
  return value.length <= 100 && (isNamed || isNotation) && parse(value.trim()) !== undefined;
}

/** The removed and the added entries of a list; both whole lists if only the order differs. */
function toListValues(before: readonly string[], after: readonly string[]) {
  const [was, is] = [new Set(before), new Set(after)];
  const removed = before.filter((one) => !is.has(one));
  const added = after.filter((one) => !was.has(one));
  const isOrder = removed.length + added.length === 0;
  return {
    ...named("before", toListValue(isOrder ? before : removed)),
    ...named("after", toListValue(isOrder ? after : added)),
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
  let count = 0;
  for (const one of list.slice(0, LIST_MAX)) {
    const next = cut(one, ENTRY_LENGTH_MAX).text;
    if (count > 0 && text.length + next.length > 200) break;
    text += (count > 0 ? ", " : "") + next;
    count += 1;
  }
  const isCut = count < list.length;
  return { type: "list", text: isCut ? `${text}, …` : text, ...(isCut && { count: list.length }) };
}
