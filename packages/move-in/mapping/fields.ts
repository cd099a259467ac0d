import { isCutText, toPlainText } from "./plain-text.ts";
import { type Plain, type PlainObject, isPlainList, isPlainObject } from "./plain.ts";
import type { Report } from "./report.ts";

/** An object of a configuration, which remembers what was read of it. */
export interface Fields {
  path: string;
  values: PlainObject;
  report: Report;
  read: Set<string>;
}

const none = Object.create(null) as PlainObject;
const LIST_MAX = 500;
const LINE_MAX = 1_000;

/** The value as an object; anything else is an empty one and a line of the report. */
export function toFields(value: Plain | undefined, path: string, report: Report): Fields {
  if (isPlainObject(value)) return { path, values: value, report, read: new Set() };
  if (value !== undefined && value !== null)
    report.add("invalid", path, `Expected an object, got ${kindOf(value)}.`);
  return { path, values: none, report, read: new Set() };
}

/** The raw value of a field, which then counts as read. */
export function readValue(fields: Fields, key: string): Plain | undefined {
  fields.read.add(key);
  return Object.hasOwn(fields.values, key) ? fields.values[key] : undefined;
}

/** An object within, empty if it is missing. */
export function readFields(fields: Fields, key: string): Fields {
  return toFields(readValue(fields, key), pathOf(fields, key), fields.report);
}

/** A text as it is in the source, markup included; undefined if it is empty. Numbers count as texts. */
export function readRaw(fields: Fields, key: string): string | undefined {
  const value = readValue(fields, key);
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  fields.report.add("invalid", pathOf(fields, key), `Expected a text, got ${kindOf(value)}.`);
  return undefined;
}

/** A plain text without markup; undefined if it is empty. */
export function readText(fields: Fields, key: string, lengthMax = LINE_MAX): string | undefined {
  const raw = readRaw(fields, key) ?? "";
  const { report } = fields;
  const text = toReportedText(raw, { lengthMax, path: pathOf(fields, key), report });
  return text === "" ? undefined : text;
}

/** A plain text; one that is cut is a line of the report. */
export function toReportedText(
  raw: string,
  { lengthMax, path, report }: { lengthMax: number; path: string; report: Report },
): string {
  const text = toPlainText(raw, lengthMax);
  if (isCutText(raw, lengthMax))
    report.add("changed", path, `The text is longer than ${lengthMax} characters and was cut.`);
  return text;
}

export function readFlag(fields: Fields, key: string): boolean | undefined {
  const value = readValue(fields, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === "boolean") return value;
  if (value === 0 || value === 1) return value === 1;
  fields.report.add(
    "invalid",
    pathOf(fields, key),
    `Expected true or false, got ${kindOf(value)}.`,
  );
  return undefined;
}

/** A finite number, also from a text of digits. */
export function readNumber(fields: Fields, key: string): number | undefined {
  const value = readValue(fields, key);
  if (value === undefined || value === null || value === "") return undefined;
  const number = typeof value === "string" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  fields.report.add("invalid", pathOf(fields, key), `Expected a number, got ${kindOf(value)}.`);
  return undefined;
}

/** The entries of a list, at most 500; none if it is missing. */
function readList(fields: Fields, key: string): readonly Plain[] {
  const value = readValue(fields, key);
  if (value === undefined || value === null) return [];
  const path = pathOf(fields, key);
  if (!isPlainList(value)) {
    fields.report.add("invalid", path, `Expected a list, got ${kindOf(value)}.`);
    return [];
  }
  if (value.length > LIST_MAX)
    fields.report.add("not mapped", `${path}[${LIST_MAX}]`, `Only ${LIST_MAX} entries are read.`);
  return value.slice(0, LIST_MAX);
}

/** The entries of a list as objects; others are lines of the report. */
export function readObjects(fields: Fields, key: string): Fields[] {
  return readList(fields, key)
    .map((value, index) => toFields(value, `${pathOf(fields, key)}[${index}]`, fields.report))
    .filter(({ values }) => values !== none);
}

/** The texts of a list; others are lines of the report. */
export function readTexts(fields: Fields, key: string): string[] {
  return readList(fields, key).flatMap((value, index) => {
    const path = `${pathOf(fields, key)}[${index}]`;
    const { report } = fields;
    if (typeof value === "string")
      return value === "" ? [] : [toReportedText(value, { lengthMax: LINE_MAX, path, report })];
    fields.report.add("invalid", path, `Expected a text, got ${kindOf(value)}.`);
    return [];
  });
}

/** All fields of an object, at most 500, each as an object within. */
export function readEntries(fields: Fields): [key: string, value: Fields][] {
  return listKeys(fields).map((key) => [key, readFields(fields, key)]);
}

export function listKeys(fields: Fields): string[] {
  const keys = Object.keys(fields.values);
  if (keys.length > LIST_MAX)
    fields.report.add("not mapped", fields.path, `Only ${LIST_MAX} fields are read.`);
  return keys.slice(0, LIST_MAX);
}

/** Adds a line for each field that was not read and has a value. `reasons` are by name. */
export function reportUnread(
  fields: Fields,
  reasons: Readonly<Record<string, string>> = {},
  otherwise = "Avow has no such field.",
): void {
  for (const [key, value] of Object.entries(fields.values)) {
    if (fields.read.has(key) || isNothing(value)) continue;
    const reason = Object.hasOwn(reasons, key) ? reasons[key] : undefined;
    fields.report.add("not mapped", pathOf(fields, key), reason ?? otherwise);
  }
}

export function pathOf({ path }: Fields, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** An http or https address; anything else is undefined. Relative ones are resolved against the site, if it is known. */
export function toAddress(text: string | undefined, site: string | undefined): string | undefined {
  if (text === undefined || text === "" || text.startsWith("#")) return undefined;
  const url = URL.parse(text.trim(), site);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > 2_048) return undefined;
  return url.href;
}

function isNothing(value: Plain): boolean {
  if (value === null || value === false || value === "" || value === 0) return true;
  if (typeof value !== "object") return false;
  return Object.values(value).every(isNothing);
}

function kindOf(value: Plain): string {
  if (value === null) return "null";
  if (isPlainList(value)) return "a list";
  if (typeof value === "object") return "an object";
  return { string: "a text", number: "a number", boolean: "true or false" }[
    typeof value as "string" | "number" | "boolean"
  ];
}
