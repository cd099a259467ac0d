import { type Placed, type Sheet, TOP, drawLines, heightOf, layText, makeRoom } from "./sheet.ts";

/** A table of the structure; rows are written into it, and it is ended. */
export type Table = PDFKit.PDFStructureElement;

export function openTable({ doc, root }: Sheet): Table {
  const table = doc.struct("Table");
  root.add(table);
  return table;
}

/** A cell of a table; `tag` tells heads from data. */
export type Cell = Placed & { text: string; tag: "TH" | "TD" };

/** Writes texts beside each other. Only the last one may be longer than a page. */
export function writeRow(sheet: Sheet, table: Table, cells: readonly Cell[]): void {
  const laid = cells.map((cell) => ({ cell, lines: layText(sheet, cell.text, cell) }));
  const height = Math.max(...laid.map(({ cell, lines }) => heightOf(lines, cell)));
  const isLong = height > sheet.bottom - TOP;
  makeRoom(sheet, isLong ? heightOf([], { size: 40 }) : height);
  const { y } = sheet;
  let end = y;
  const draw = ({ cell, lines }: (typeof laid)[number], at: number) => {
    const isLast = at === laid.length - 1;
    return sheet.doc.struct(cell.tag, {}, () => {
      sheet.y = y;
      drawLines(sheet, lines, cell);
      // A long last cell ends on a later page, and is what the next row stands under.
      end = isLast && isLong ? sheet.y : Math.max(end, sheet.y);
    });
  };
  table.add(sheet.doc.struct("TR", {}, laid.map(draw)));
  sheet.y = end;
}
