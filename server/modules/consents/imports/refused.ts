import type { FileHandle } from "node:fs/promises";
import { toCsvLine } from "../../../platform/csv.ts";

/** So much of a refused line is shown. */
const TEXT_LENGTH_MAX = 1_000;

export interface RefusedLine {
  line: number;
  reason: string;
  text: string;
}

const head = toCsvLine(["line", "reason", "text"]);

/** Writes refused lines from `offset` on; answers where the next ones go. */
export async function writeRefused(
  file: FileHandle,
  offset: number,
  lines: readonly RefusedLine[],
): Promise<number> {
  if (lines.length === 0) return offset;
  const texts = lines.map(({ line, reason, text }) =>
    toCsvLine([String(line), reason, toShown(text)]),
  );
  const all = Buffer.from((offset === 0 ? head : "") + texts.join(""));
  await file.write(all, 0, all.length, offset);
  await file.datasync();
  return offset + all.length;
}

function toShown(text: string): string {
  const shown = text.slice(0, TEXT_LENGTH_MAX).replaceAll("\0", "\uFFFD");
  return text.length > TEXT_LENGTH_MAX ? `${shown}…` : shown;
}
