import type { FastifyReply, FastifyRequest } from "fastify";
import { toCsvLine } from "../../platform/text/csv.ts";
import type { CursorPage } from "../../kernel/page.ts";
import { negotiate } from "../files/negotiation.ts";
import { type Streams, toChunks } from "../streams.ts";

/** How a list is answered (wire section 0): a page as JSON, or the whole of it as one of the others. */
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

/**
 * The format that `Accept` likes best (RFC 9110 section 12.5.1); JSON when it likes all alike, and
 * when it likes none of them, as before there were others.
 */
export function negotiateList(req: FastifyRequest, reply: FastifyReply): ListFormat {
  return negotiate(req, reply, formats) ?? "json";
}

/** A list that can be streamed. */
export interface StreamedList<T> {
  /** Its first page, or the one that the caller's cursor begins. */
  first: CursorPage<T>;
  /** Reads a further page, by a short query of its own. */
  readPage: (cursor: string) => Promise<CursorPage<T>>;
  /** The columns of its CSV, with what an item has in each. */
  columns: Record<string, (item: T) => string | null>;
  /** An item as one line of JSON. */
  toLine: (item: T) => string;
}

/** Answers a list to its end, page after page, with what one page takes in memory. */
export function answerList<T>(
  streams: Streams,
  { req, reply, format }: { req: FastifyRequest; reply: FastifyReply; format: StreamedFormat },
  list: StreamedList<T>,
): FastifyReply {
  const lines = format === "csv" ? toCsv(list) : toLines(list);
  return streams.answer({ req, reply }, { type: types[format], chunks: toChunks(lines) });
}

type Pages = AsyncGenerator<Iterable<string>>;

async function* toLines<T>(list: StreamedList<T>): Pages {
  for await (const items of readPages(list))
    yield mapEach(items, (item) => `${list.toLine(item)}\n`);
}

async function* toCsv<T>(list: StreamedList<T>): Pages {
  const columns = Object.entries(list.columns);
  yield [toCsvLine(columns.map(([name]) => name))];
  for await (const items of readPages(list))
    yield mapEach(items, (item) => toCsvLine(columns.map(([, toCell]) => toCell(item))));
}

/** One by one, so that the text of a page is never in memory as a whole. */
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
