import type { Face } from "./fonts.ts";
import { type Sheet, addSpace, ink, reserveSpace, writeText } from "./sheet.ts";
import { openTable, writeRow } from "./table.ts";

/** A label and its text. */
export interface Detail {
  label: string;
  text: string;
  face: Face;
}

const LABEL_WIDTH = 118;
const SIZE = 9;
const MONO_SIZE = 8;

/** Writes a heading, on a new page unless `room` points are left, so that text follows it on the same page. */
export function writeHeading(sheet: Sheet, text: string, room = 60): void {
  addSpace(sheet, 18);
  reserveSpace(sheet, room);
  writeText(sheet, "H2", text, { face: "bold", size: 12.5, color: ink.accent, leading: 1.3 });
  addSpace(sheet, 4);
}

/** Writes labels, `labelWidth` points wide, and their texts to the right. */
export function writeDetails(
  sheet: Sheet,
  details: readonly Detail[],
  labelWidth = LABEL_WIDTH,
): void {
  const table = openTable(sheet);
  for (const { label, text, face } of details) {
    const size = face === "mono" ? MONO_SIZE : SIZE;
    writeRow(sheet, table, [
      { tag: "TH", text: label, face: "text", size: SIZE, color: ink.quiet, width: labelWidth - 8 },
      // The same line height as the label, so that the two align.
      { tag: "TD", text, face, size, x: labelWidth, leading: (SIZE * 1.42) / size },
    ]);
    addSpace(sheet, 1.5);
  }
  table.end();
}
