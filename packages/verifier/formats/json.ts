// Strict JSON (RFC 8259) that every parser reads the same way, as in I-JSON (RFC 7493): no duplicate names in an object, no
// lone surrogates, numbers in the form of RFC 8785. `JSON.parse` accepts all of these, so two parsers of one file could
// read different records.
import { FormatError, type ToMessage } from "./errors.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

const DEPTH_MAX = 64;

interface Cursor {
  text: string;
  at: number;
  depth: number;
}

const words = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Parses a whole text. @throws FormatError with line and column */
export function parseJson(text: string): Json {
  const cursor = { text, at: 0, depth: 0 };
  const value = readValue(cursor);
  if (skipSpace(cursor) !== "") throw toFormatError(cursor, (say) => say.jsonMore);
  return value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readValue(cursor: Cursor): Json {
  const next = skipSpace(cursor);
  if (next === '"') return readString(cursor);
  if (next !== "{" && next !== "[") return readWord(cursor);
  cursor.depth += 1;
  if (cursor.depth > DEPTH_MAX) throw toFormatError(cursor, (say) => say.jsonDeep(DEPTH_MAX));
  const value = next === "{" ? readObject(cursor) : readArray(cursor);
  cursor.depth -= 1;
  return value;
}

function readObject(cursor: Cursor): JsonObject {
  // Without a prototype, "__proto__" is an ordinary name.
  const members = Object.create(null) as Record<string, Json>;
  let isFirst = true;
  while (hasNext(cursor, "}", isFirst)) {
    isFirst = false;
    if (skipSpace(cursor) !== '"') throw toFormatError(cursor, (say) => say.json);
    const name = readString(cursor);
    if (Object.hasOwn(members, name)) throw toFormatError(cursor, (say) => say.jsonTwice(name));
    if (skipSpace(cursor) !== ":") throw toFormatError(cursor, (say) => say.json);
    cursor.at += 1;
    members[name] = readValue(cursor);
  }
  return members;
}

function readArray(cursor: Cursor): Json[] {
  const items: Json[] = [];
  while (hasNext(cursor, "]", items.length === 0)) items.push(readValue(cursor));
  return items;
}

/** Skips an opening bracket, a comma or the end; returns whether an item follows. */
function hasNext(cursor: Cursor, end: string, isFirst: boolean): boolean {
  if (isFirst) cursor.at += 1;
  const next = skipSpace(cursor);
  if (next === end) {
    cursor.at += 1;
    return false;
  }
  if (isFirst) return true;
  if (next !== ",") throw toFormatError(cursor, (say) => say.json);
  cursor.at += 1;
  return true;
}

function readString(cursor: Cursor): string {
  const start = cursor.at;
  let end = start + 1;
  while (end < cursor.text.length && cursor.text[end] !== '"')
    end += cursor.text[end] === "\\" ? 2 : 1;
  const value = parseToken(cursor, cursor.text.slice(start, end + 1));
  if (typeof value !== "string" || !value.isWellFormed())
    throw toFormatError(cursor, (say) => say.jsonText);
  cursor.at = end + 1;
  return value;
}

function readWord(cursor: Cursor): Json {
  const [token = ""] =
    /^[-+.0-9A-Za-z]{1,32}/.exec(cursor.text.slice(cursor.at, cursor.at + 32)) ?? [];
  const value = words.has(token) ? words.get(token) : parseToken(cursor, token);
  if (typeof value === "number" && JSON.stringify(value) !== token)
    throw toFormatError(cursor, (say) => say.jsonNumber(token));
  cursor.at += token.length;
  return value ?? null;
}

/** Parses a single string or number with `JSON.parse`. */
function parseToken(cursor: Cursor, token: string): Json {
  try {
    return JSON.parse(token) as Json;
  } catch {
    throw toFormatError(cursor, (say) => say.json);
  }
}

/** Skips white space and returns the next character; empty at the end. */
function skipSpace(cursor: Cursor): string {
  while (" \t\n\r".includes(cursor.text[cursor.at] ?? "x")) cursor.at += 1;
  return cursor.text[cursor.at] ?? "";
}

function toFormatError({ text, at }: Cursor, what: ToMessage): FormatError {
  const before = text.slice(0, at).split("\n");
  const [line, column] = [before.length, (before.at(-1)?.length ?? 0) + 1];
  return new FormatError((say) => say.at(what(say), line, column));
}
