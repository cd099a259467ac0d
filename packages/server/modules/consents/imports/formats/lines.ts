import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";

/** Maximum bytes of a line; a longer one is rejected and never held in memory as a whole. */
export const LINE_BYTES_MAX = 100 * 1024;
/** Bytes kept of a line that is too long, to be shown. */
const SHOWN_BYTES = 1_024;
const BLOCK_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** One line of a file, without its end. */
export interface Line {
  /** 1 for the first line of the file. */
  number: number;
  /** The byte after its end. */
  end: number;
  /** Invalid UTF-8 is replaced. */
  text: string;
  isUtf8: boolean;
  /** `text` then holds only the beginning. */
  isTooLong: boolean;
}

export interface FilePosition {
  /** Byte offset of the first line to read. */
  offset: number;
  /** Number of that line. */
  line: number;
}

/** A file that can be read from any line. */
export interface Source {
  readLines: (from: FilePosition) => AsyncGenerator<Line[]>;
}

export const firstPosition: FilePosition = { offset: 0, line: 1 };

/** The file at `path`, read in blocks of some hundred lines. */
export function openSource(path: string): Source {
  return { readLines: (from) => readLines(path, from) };
}

async function* readLines(path: string, from: FilePosition): AsyncGenerator<Line[]> {
  await using file = await open(path);
  const splitter = createSplitter(from);
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  for (let offset = from.offset; ;) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, offset);
    const isLast = bytesRead === 0;
    const lines = isLast ? splitter.end() : splitter.split(block.subarray(0, bytesRead));
    if (lines.length > 0) yield lines;
    if (isLast) return;
    offset += bytesRead;
  }
}

/**
 * Splits blocks into lines and keeps the unfinished last line of a block, up to a limit, as a copy:
 * no block stays in memory.
 */
function createSplitter(from: FilePosition) {
  let { offset, line } = from;
  let rest: Buffer[] = [];
  let restBytes = 0;
  const hold = (part: Buffer): void => {
    if (restBytes <= LINE_BYTES_MAX) rest.push(Buffer.from(part));
    restBytes += part.length;
  };
  const toLine = (bytes: Buffer, end: number): Line => {
    const isCrLf = bytes.at(-1) === CARRIAGE_RETURN;
    const text = bytes.toString("utf8", 0, bytes.length - (isCrLf ? 1 : 0));
    return { number: line++, end, text, isUtf8: isUtf8(bytes), isTooLong: false };
  };
  const finish = (part: Buffer, end: number): Line => {
    hold(part);
    const isTooLong = restBytes > LINE_BYTES_MAX;
    const whole = Buffer.concat(rest);
    rest = [];
    restBytes = 0;
    if (!isTooLong) return toLine(whole, end);
    const text = whole.toString("utf8", 0, SHOWN_BYTES);
    return { number: line++, end, text, isUtf8: true, isTooLong };
  };
  return {
    split(block: Buffer): Line[] {
      const lines: Line[] = [];
      let start = 0;
      for (let end = block.indexOf(LINE_FEED); end >= 0; end = block.indexOf(LINE_FEED, start)) {
        const part = block.subarray(start, end);
        const lineEnd = offset + end + 1;
        lines.push(restBytes > 0 ? finish(part, lineEnd) : toLine(part, lineEnd));
        start = end + 1;
      }
      if (start < block.length) hold(block.subarray(start));
      offset += block.length;
      return lines;
    },
    end: (): Line[] => (restBytes > 0 ? [finish(Buffer.alloc(0), offset)] : []),
  };
}
