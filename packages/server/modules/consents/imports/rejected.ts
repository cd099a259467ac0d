import type { FileHandle } from "node:fs/promises";
import { toCsvLine } from "../../../platform/text/csv.ts";

/** Characters of a rejected line that the list shows. */
const TEXT_LENGTH_MAX = 1_000;
/** The list may be many times larger than the file: further lines are only counted. */
const LIST_BYTES_MAX = 100 * 1024 * 1024;

export interface RejectedLine {
  line: number;
  reason: string;
  text: string;
}

const head = toCsvLine(["line", "reason", "text"]);
const rest = toCsvLine(["", "The list is full. Further rejected lines are only counted.", ""]);

/**
 * Writes rejected lines at `offset` and returns the offset after them. A list that reaches `bytesMax`
 * says so in its last line and takes no more.
 */
export async function writeRejected(
  file: FileHandle,
  offset: number,
  lines: readonly RejectedLine[],
  bytesMax = LIST_BYTES_MAX,
): Promise<number> {
  if (lines.length === 0 || offset >= bytesMax) return offset;
  const texts = lines.map(({ line, reason, text }) =>
    toCsvLine([String(line), reason, toShown(text)]),
  );
  const listed = Buffer.from((offset === 0 ? head : "") + texts.join(""));
  const isFull = offset + listed.length >= bytesMax;
  const all = isFull ? Buffer.concat([listed, Buffer.from(rest)]) : listed;
  await file.write(all, 0, all.length, offset);
  await file.datasync();
  return offset + all.length;
}

function toShown(text: string): string {
  const shown = text.slice(0, TEXT_LENGTH_MAX).replaceAll("\0", "\uFFFD");
  return text.length > TEXT_LENGTH_MAX ? `${shown}…` : shown;
}
