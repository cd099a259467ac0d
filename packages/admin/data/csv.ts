/** A cell and its terminator: quoted with `""` for a quote, or plain (RFC 4180, with `;`). */
const cellPattern = /(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/y;

/** Parses CSV with `;` between its cells, as the service writes it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  cellPattern.lastIndex = 0;
  while (cellPattern.lastIndex < text.length) {
    const found = cellPattern.exec(text);
    if (!found) break;
    const [, quoted, plain = "", end] = found;
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ";") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

/** Writes CSV as the service does. Cells that a spreadsheet would run as a formula start with an apostrophe. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toCell).join(";")}\r\n`).join("");
}

function toCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
