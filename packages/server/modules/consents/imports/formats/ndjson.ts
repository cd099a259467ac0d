import { type JsonObject, isObject } from "@avow/contract/json";
import type { RawEntry, ReadEntry } from "./entry.ts";
import type { Format, Item } from "./format.ts";
import { LINE_BYTES_MAX, type Line, type FilePosition, type Source } from "./lines.ts";
import { findDefect, isManifest } from "./manifest.ts";

/** One JSON object a line, in the shape of our export or with the CSV columns as keys. */
export const ndjson: Format = {
  name: "ndjson",
  contentTypes: ["application/x-ndjson", "application/ndjson", "application/jsonl"],
  read,
  findDefect,
};

async function* read(
  source: Source,
  from: FilePosition,
  readEntry: ReadEntry,
): AsyncGenerator<Item[]> {
  for await (const lines of source.readLines(from)) {
    const items = lines.flatMap((line) => toItems(line, readEntry));
    if (items.length > 0) yield items;
  }
}

function toItems(line: Line, readEntry: ReadEntry): Item[] {
  const { number, end, text } = line;
  if (text === "") return [];
  const at = { line: number, nextLine: number + 1, end, text };
  if (line.isTooLong)
    return [{ ...at, reason: `The line has more than ${LINE_BYTES_MAX / 1024} KiB.` }];
  if (!line.isUtf8) return [{ ...at, reason: "The line is not valid UTF-8." }];
  const object = parse(text);
  if (!object) return [{ ...at, reason: "The line is not a JSON object." }];
  // `findDefect` has checked it before the first line was read.
  if (isManifest(object)) return [];
  return [{ ...at, ...readEntry(toRaw(object)) }];
}

function parse(text: string): JsonObject | undefined {
  try {
    const object: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isObject(object) ? object : undefined;
  } catch {
    return undefined;
  }
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** `createdAt` and `consentId` are keys of our export; null counts as missing. */
function toRaw(object: JsonObject): RawEntry {
  const { token, collection, identifier, value, preferences } = object;
  const raw: RawEntry = { token, collection, identifier, value, preferences };
  raw.accept =
    object["accept"] === 1 || object["accept"] === 0 ? object["accept"] === 1 : object["accept"];
  raw.date = object["date"] ?? object["createdAt"];
  raw.consentId = object["consentId"] ?? object["_id"];
  const { timestamp, language, url } = object;
  if (isPresent(timestamp)) raw.timestamp = timestamp;
  if (isPresent(language)) raw.language = language;
  if (isPresent(url)) raw.url = url;
  return raw;
}
