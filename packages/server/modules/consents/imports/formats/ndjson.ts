import { type JsonObject, isObject } from "@avow/contract/json";
import type { RawEntry, ReadEntry } from "./entry.ts";
import type { Format, Item } from "./format.ts";
import { LINE_BYTES_MAX, type Line, type Place, type Source } from "./lines.ts";
import { findLack, isManifest } from "./manifest.ts";

/** One JSON object a line, in the shape of our export or with the CSV columns as keys. */
export const ndjson: Format = {
  name: "ndjson",
  contentTypes: ["application/x-ndjson", "application/ndjson", "application/jsonl"],
  read,
  findLack,
};

async function* read(source: Source, from: Place, readEntry: ReadEntry): AsyncGenerator<Item[]> {
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
  const said = parse(text);
  if (!said) return [{ ...at, reason: "The line is no JSON object." }];
  // `findLack` has checked it before the first line was read.
  if (isManifest(said)) return [];
  return [{ ...at, ...readEntry(toRaw(said)) }];
}

function parse(text: string): JsonObject | undefined {
  try {
    const said: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return isObject(said) ? said : undefined;
  } catch {
    return undefined;
  }
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** `createdAt` and `consentId` are keys of our export; null counts as missing. */
function toRaw(said: JsonObject): RawEntry {
  const { token, collection, identifier, value, preferences } = said;
  const raw: RawEntry = { token, collection, identifier, value, preferences };
  raw.accept = said["accept"] === 1 || said["accept"] === 0 ? said["accept"] === 1 : said["accept"];
  raw.date = said["date"] ?? said["createdAt"];
  raw.consentId = said["consentId"] ?? said["_id"];
  const { timestamp, language, url } = said;
  if (isSaid(timestamp)) raw.timestamp = timestamp;
  if (isSaid(language)) raw.language = language;
  if (isSaid(url)) raw.url = url;
  return raw;
}
