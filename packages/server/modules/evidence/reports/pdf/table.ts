import {
  type TextLayout,
  type Sheet,
  TOP,
  drawLines,
  heightOf,
  layText,
  reserveSpace,
} from "./sheet.ts";

/** A structure element for a table. Call `end` after the last row. */
export type Table = PDFKit.PDFStructureElement;

export function openTable({ doc, root }: Sheet): Table {
  const table = doc.struct("Table");
  root.add(table);
  return table;
}

export type Cell = TextLayout & { text: string; tag: "TH" | "TD" };

/** Writes cells side by side. Only the last one may be longer than a page. */
export function writeRow(sheet: Sheet, table: Table, cells: readonly Cell[]): void {
  const laid = cells.map((cell) => ({ cell, lines: layText(sheet, cell.text, cell) }));
  const height = Math.max(...laid.map(({ cell, lines }) => heightOf(lines, cell)));
  const isLong = height > sheet.bottom - TOP;
  reserveSpace(sheet, isLong ? heightOf([], { size: 40 }) : height);
  const { y } = sheet;
  let end = y;
  const draw = ({ cell, lines }: (typeof laid)[number], at: number) => {
    const isLast = at === laid.length - 1;
    return sheet.doc.struct(cell.tag, {}, () => {
      sheet.y = y;
      drawLines(sheet, lines, cell);
      // A long last cell ends on a later page, and the next row begins below it.
      end = isLast && isLong ? sheet.y : Math.max(end, sheet.y);
    });
  };
  table.add(sheet.doc.struct("TR", {}, laid.map(draw)));
  sheet.y = end;
}
