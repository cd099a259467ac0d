import type { Page } from "./pages.ts";
import type { Column } from "./store.ts";

/** The writer of one file of a format. */
export interface Encoder {
  /** The columns that it reads. */
  columns: readonly Column[];
  /** The head of the file; of a part that goes on with an earlier one, none where that can be. */
  begin(isPart: boolean): Iterable<Uint8Array>;
  /** The records of a page, in pieces. */
  encode(page: Page): Iterable<Uint8Array>;
  end(): Iterable<Uint8Array>;
  /** Whether a file may be cut after a page, and another part be written behind it. */
  isAppendable: boolean;
}

const PIECE_LENGTH = 64 * 1024;

/** Lines as bytes, in pieces of 64 KiB or a little more: line `n` is made when its piece is asked for. */
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
 * Opens what makes RFC 3339 with milliseconds of the milliseconds that a column has as text. Records
 * come by time, many of one second: its text is made once.
 */
export function openInstants(): (ms: string) => string {
  let last = "";
  let begin = "";
  return (ms) => {
    const second = ms.slice(0, -3);
    // Before 1970 a second has its thousandths counted backwards.
    if (second === "" || ms.startsWith("-")) return new Date(Number(ms)).toISOString();
    if (second !== last) {
      begin = new Date(Number(second) * 1_000).toISOString().slice(0, -4);
      last = second;
    }
    return `${begin}${ms.slice(-3)}Z`;
  };
}

/** JSON on one line: line ends stand between its parts only, since within its texts they are escaped. */
export function toOneLine(json: string): string {
  return json.includes("\n") || json.includes("\r") ? json.replace(/[\r\n]+/g, " ") : json;
}
