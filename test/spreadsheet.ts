/**
 * Parses a file as a spreadsheet with `separator`: quotation marks count only at the beginning of a cell,
 * and text after a closed one belongs to the cell.
 */
export function readAsSpreadsheet(text: string, separator: string): string[] {
  const cells: string[] = [];
  const ends = new Set([separator, "\r", "\n"]);
  for (let at = 0; at < text.length; at += 1) {
    let cell = "";
    if (text[at] === '"') {
      at += 1;
      for (; at < text.length; at += 1) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        cell += text[at];
      }
      at += 1;
    }
    for (; at < text.length && !ends.has(text[at] ?? ""); at += 1) cell += text[at];
    cells.push(cell);
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
  }
  return cells;
}

/** Characters that no cell may begin with. */
export const formulaStart = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
