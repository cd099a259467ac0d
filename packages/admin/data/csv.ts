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
