import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { CsvDialectIn } from "@avow/contract/consents";
import { toCsvLine } from "../../platform/text/csv.ts";
import type { CursorPage } from "../../kernel/page.ts";
import { negotiate } from "../files/negotiation.ts";
import { type Streams, toChunks } from "../streams.ts";

/** The format of a list (wire section 0): one page as JSON, or the whole list in another format. */
export type ListFormat = "json" | StreamedFormat;
type StreamedFormat = "ndjson" | "csv";

const formats = new Map<string, ListFormat>([
  ["application/json", "json"],
  ["application/x-ndjson", "ndjson"],
  ["text/csv", "csv"],
]);
const types = {
  ndjson: "application/x-ndjson; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
};

/** The types that a list is streamed in, for the OpenAPI document. */
export const streamedTypes = ["application/x-ndjson", "text/csv"];

/** The query parameter of CSV, for the schema of each list that is streamed. */
export const csvQueryIn = { dialect: Type.Optional(CsvDialectIn) };

/**
 * The format that `Accept` prefers (RFC 9110 section 12.5.1). JSON without a preference, and also when none is
 * acceptable, for clients older than the other formats.
 */
export function negotiateList(req: FastifyRequest, reply: FastifyReply): ListFormat {
  return negotiate(req, reply, formats) ?? "json";
}

export interface StreamedList<T> {
  /** The first page, or the one of the caller's cursor. */
  first: CursorPage<T>;
  /** Reads a further page, with a short query of its own. */
  readPage: (cursor: string) => Promise<CursorPage<T>>;
  /** The CSV columns by name. */
  columns: Record<string, (item: T) => string | null>;
  /** Serializes an item as one line of JSON. */
  toLine: (item: T) => string;
}

/** Streams the whole list page by page, with at most one page in memory. */
export function answerList<T>(
  streams: Streams,
  { req, reply, format }: { req: FastifyRequest; reply: FastifyReply; format: StreamedFormat },
  list: StreamedList<T>,
): FastifyReply {
  const { dialect } = req.query as { dialect?: CsvDialectIn };
  const lines = format === "csv" ? toCsv(list, dialect) : toLines(list);
  return streams.answer({ req, reply }, { type: types[format], chunks: toChunks(lines) });
}

type Pages = AsyncGenerator<Iterable<string>>;

async function* toLines<T>(list: StreamedList<T>): Pages {
  for await (const items of readPages(list))
    yield mapEach(items, (item) => `${list.toLine(item)}\n`);
}

async function* toCsv<T>(list: StreamedList<T>, dialect: CsvDialectIn | undefined): Pages {
  const columns = Object.entries(list.columns);
  const toLine = (cells: (string | null)[]) => toCsvLine(cells, dialect);
  yield [toLine(columns.map(([name]) => name))];
  for await (const items of readPages(list))
    yield mapEach(items, (item) => toLine(columns.map(([, toCell]) => toCell(item))));
}

/** Lazy, so that the text of a whole page is never in memory. */
function* mapEach<T>(items: readonly T[], toText: (item: T) => string): Generator<string> {
  for (const item of items) yield toText(item);
}

async function* readPages<T>(list: StreamedList<T>): AsyncGenerator<T[]> {
  let page = list.first;
  yield page.items;
  while (page.next !== undefined) {
    page = await list.readPage(page.next);
    yield page.items;
  }
}
