import { toCsvCell, unguardCell } from "@avow/contract/csv";

/** A cell and its terminator: quoted with `""` for a quote, or plain (RFC 4180, with `;`). */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/y;

/** Parses CSV with `;` between its cells and guards against formulas, as the service writes it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  cellPattern.lastIndex = 0;
  while (cellPattern.lastIndex < text.length) {
    const found = cellPattern.exec(text);
    if (!found) break;
    const [, quoted, plain = "", end] = found;
    row.push(unguardCell(quoted === undefined ? plain : quoted.replaceAll('""', '"')));
    if (end === ";") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Writes CSV with `;` between its cells. Cells are guarded against formulas in spreadsheets. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCsvCell).join(";")}\r\n`).join("");
}
