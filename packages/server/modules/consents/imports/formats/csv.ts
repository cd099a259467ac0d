import { unguardCell, unguardStart } from "@avow/contract/csv";
import { Fault } from "../../../../platform/errors.ts";
import { type RawEntry, type ReadEntry, parseJson } from "./entry.ts";
import type { Format, Item } from "./format.ts";
import {
  LINE_BYTES_MAX,
  type Line,
  type FilePosition,
  type Source,
  firstPosition,
} from "./lines.ts";

const SEPARATOR = ";";
const QUOTE = '"';
const columns = ["token", "collection", "identifier", "accept", "date", "value", "preferences"];
const required = columns.slice(0, 5);
/** In these columns, the text after commas is escaped as in JSON. */
const jsonColumns = new Set(["value", "preferences"]);
/** All supported columns: those of wire section 4, and additional keys of our NDJSON. */
const known = new Set([...columns, "consentId", "timestamp", "language", "url"]);
const answers: Record<string, boolean> = { "1": true, "0": false, true: true, false: false };

/** Semicolons, RFC 4180, the first line names the columns (wire section 4). */
export const csv: Format = { name: "csv", contentTypes: ["text/csv"], read };

async function* read(
  source: Source,
  from: FilePosition,
  readEntry: ReadEntry,
): AsyncGenerator<Item[]> {
  const { names, after } = await readHeader(source);
  const toItem = openRecords(names, readEntry);
  const records = createAssembly(toItem);
  for await (const lines of source.readLines(from.offset === 0 ? after : from)) {
    const items = records.take(lines);
    if (items.length > 0) yield items;
  }
  const last = records.end();
  if (last.length > 0) yield last;
}

async function readHeader(source: Source): Promise<{ names: string[]; after: FilePosition }> {
  for await (const [first] of source.readLines(firstPosition)) {
    if (!first) break;
    const text = first.text.replace(/^\uFEFF/, "");
    const names = openSplitter()(text) ?? [];
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0)
      throw new Fault(
        "invalid",
        `The first line has to name the columns, separated by ";": ${columns.join(SEPARATOR)}. It lacks ${missing.join(", ")}.`,
      );
    return { names, after: { offset: first.end, line: 2 } };
  }
  throw new Fault("invalid", "The file is empty.");
}

type ToItem = (lines: readonly Line[]) => Item | undefined;

/**
 * Joins the lines of quoted cells. An unclosed quotation mark invalidates only its own line; the
 * lines after it are read by themselves.
 */
function createAssembly(toItem: ToItem) {
  let open: Line[] = [];
  let openLength = 0;
  const takeLine = (line: Line, items: Item[]): void => {
    if (open.length === 0) {
      if (line.text === "") return;
      const item = toItem([line]);
      if (item) items.push(item);
      else if (hasOddQuotes(line.text)) hold(line);
      else items.push(toMisquoted(line));
      return;
    }
    hold(line);
    const isOdd = !line.isTooLong && hasOddQuotes(line.text);
    const item = isOdd ? toItem(open) : undefined;
    if (item) {
      items.push(item);
      drop();
    } else if (isOdd || line.isTooLong || openLength > LINE_BYTES_MAX) rejectFirst(items);
  };
  const hold = (line: Line): void => {
    open.push(line);
    openLength += line.text.length + 1;
  };
  const drop = (): void => {
    open = [];
    openLength = 0;
  };
  const rejectFirst = (items: Item[]): void => {
    const [first, ...rest] = open;
    drop();
    if (first) items.push(toMisquoted(first));
    for (const line of rest) takeLine(line, items);
  };
  return {
    take(lines: readonly Line[]): Item[] {
      const items: Item[] = [];
      for (const line of lines) takeLine(line, items);
      return items;
    },
    end(): Item[] {
      const items: Item[] = [];
      while (open.length > 0) rejectFirst(items);
      return items;
    },
  };
}

function toMisquoted({ number, end, text, isTooLong }: Line): Item {
  const reason = isTooLong
    ? `The line has more than ${LINE_BYTES_MAX / 1024} KiB.`
    : 'A quotation mark is not closed, or stands inside a cell without being doubled ("").';
  return { line: number, nextLine: number + 1, end, text, reason };
}

/** Converts the lines of a record to an item; undefined for misplaced quotation marks. */
function openRecords(names: readonly string[], readEntry: ReadEntry): ToItem {
  const splitRecord = openSplitter();
  return (lines) => {
    const [first] = lines;
    const last = lines.at(-1);
    if (!first || !last) return undefined;
    if (last.isTooLong) return toMisquoted(last);
    // A line break may have been two characters; a cell gets one.
    const text = lines.length === 1 ? first.text : lines.map((line) => line.text).join("\n");
    const at = { line: first.number, nextLine: last.number + 1, end: last.end, text };
    const cells = splitRecord(text);
    if (!cells) return undefined;
    if (!lines.every(({ isUtf8 }) => isUtf8))
      return { ...at, reason: "The line is not valid UTF-8." };
    if (cells.length !== names.length)
      return {
        ...at,
        reason: `The line has ${cells.length} cells, and the header names ${names.length} columns.`,
      };
    const raw = toRaw(names, cells);
    return { ...at, ...(typeof raw === "string" ? { reason: raw } : readEntry(raw)) };
  };
}

function toRaw(names: readonly string[], cells: readonly string[]): RawEntry | string {
  const raw: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? "";
    const unguard = jsonColumns.has(name) ? unguardStart : unguardCell;
    const cell = unguard(cells[at] ?? "");
    if (cell !== "" && known.has(name))
      raw[name === "preferences" ? "preferencesText" : name] = cell;
  }
  const { accept, date, value } = raw as Record<string, string | undefined>;
  if (accept !== undefined) {
    raw["accept"] = answers[accept.toLowerCase()];
    if (raw["accept"] === undefined) return "accept must be 1, 0, true or false.";
  }
  if (date !== undefined && /^\d{1,15}$/.test(date)) raw["date"] = Number(date);
  if (value !== undefined) {
    // Other services write plain text: it is kept, unless it looks like broken JSON.
    const json = parseJson(value);
    if (json === undefined && /^[[{"]/.test(value)) return "value must be JSON, or a plain text.";
    raw["value"] = json === undefined ? value : json;
  }
  return raw;
}

/** Cache limits for the last cell of a line: a few preferences repeat all the time. */
const CELLS_MAX = 500;
const CELL_LENGTH_MAX = 4_096;

/**
 * Creates a function that splits a record into cells; it returns undefined for a misplaced quotation
 * mark.
 */
function openSplitter(): (text: string) => string[] | undefined {
  const seen = new Map<string, string>();
  const remember = (quoted: string, cell: string, text: string): void => {
    if (seen.size >= CELLS_MAX) seen.clear();
    // A substring keeps its whole text in memory.
    if (quoted.length <= CELL_LENGTH_MAX && quoted.length * 4 > text.length) seen.set(quoted, cell);
  };
  return (text) => {
    if (!text.includes(QUOTE)) return text.split(SEPARATOR);
    const cells: string[] = [];
    for (let at = 0; at <= text.length;) {
      const isQuoted = text[at] === QUOTE;
      if (!isQuoted) {
        const end = text.indexOf(SEPARATOR, at);
        const cell = text.slice(at, end < 0 ? text.length : end);
        if (cell.includes(QUOTE)) return undefined;
        cells.push(cell);
        if (end < 0) return cells;
        at = end + 1;
        continue;
      }
      const rest = text.slice(at);
      const last = seen.get(rest);
      if (last !== undefined) {
        cells.push(last);
        return cells;
      }
      const end = findClosing(text, at + 1);
      if (end < 0) return undefined;
      const cell = text.slice(at + 1, end).replaceAll('""', QUOTE);
      cells.push(cell);
      if (end + 1 === text.length) {
        remember(rest, cell, text);
        return cells;
      }
      if (text[end + 1] !== SEPARATOR) return undefined;
      at = end + 2;
    }
    return cells;
  };
}

/** The index of the quotation mark that ends a cell; -1 without one. */
function findClosing(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf(QUOTE); at >= 0; at = text.indexOf(QUOTE, at + 1)) isOdd = !isOdd;
  return isOdd;
}
