import type { Face } from "./fonts.ts";
import { type Sheet, addSpace, ink, makeRoom, writeText } from "./sheet.ts";
import { openTable, writeRow } from "./table.ts";

/** A label and what stands beside it. */
export interface Detail {
  label: string;
  text: string;
  face: Face;
}

const LABEL_WIDTH = 118;
const SIZE = 9;
const MONO_SIZE = 8;

/** A heading, with so much room under it that it does not stand alone at the foot of a page. */
export function writeHeading(sheet: Sheet, text: string, room = 60): void {
  addSpace(sheet, 18);
  makeRoom(sheet, room);
  writeText(sheet, "H2", text, { face: "bold", size: 12.5, color: ink.accent, leading: 1.3 });
  addSpace(sheet, 4);
}

/** Labels at the left, `labelWidth` points wide, and their texts at the right. */
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
      // Of one height with the label, so that they stand on one line.
      { tag: "TD", text, face, size, x: labelWidth, leading: (SIZE * 1.42) / size },
    ]);
    addSpace(sheet, 1.5);
  }
  table.end();
}
