import type { Page } from "./pages.ts";
import type { Column } from "./store.ts";

/** The writer of one file of a format. */
export interface Encoder {
  /** The columns that it needs. */
  columns: readonly Column[];
  /** The head of the file; appendable formats omit it in a part that continues an earlier file. */
  begin(isPart: boolean): Iterable<Uint8Array>;
  /** The records of a page, in pieces. */
  encode(page: Page): Iterable<Uint8Array>;
  end(): Iterable<Uint8Array>;
  /** Whether a file may be truncated after a page and another part appended. */
  isAppendable: boolean;
}

const PIECE_LENGTH = 64 * 1024;

/** Lines as bytes, in pieces of about 64 KiB, generated lazily. */
export function* toPieces(count: number, toLine: (n: number) => string): Generator<Uint8Array> {
  let text = "";
  for (let n = 0; n < count; n += 1) {
    text += toLine(n);
    if (text.length < PIECE_LENGTH) continue;
    yield Buffer.from(text);
    text = "";
  }
  if (text !== "") yield Buffer.from(text);
}

/**
 * Creates a formatter of a column's milliseconds since 1970, as text, to RFC 3339. Records are in time order, so it
 * caches the text of the last second.
 */
export function openInstants(): (ms: string) => string {
  let last = "";
  let begin = "";
  return (ms) => {
    const second = ms.slice(0, -3);
    // Slicing digits does not work for instants before 1970.
    if (second === "" || ms.startsWith("-")) return new Date(Number(ms)).toISOString();
    if (second !== last) {
      begin = new Date(Number(second) * 1_000).toISOString().slice(0, -4);
      last = second;
    }
    return `${begin}${ms.slice(-3)}Z`;
  };
}

/** JSON on one line: line breaks occur only between tokens, because strings escape them. */
export function toOneLine(json: string): string {
  return json.includes("\n") || json.includes("\r") ? json.replace(/[\r\n]+/g, " ") : json;
}
