/** What separates cells (wire section 4). */
export const CSV_SEPARATOR = ";";

/** What a spreadsheet takes for the beginning of a formula, also after it dropped white space. */
const formulaPattern = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const guardedPattern = /^'+[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const quotedPattern = /[";\r\n]/;

/**
 * The cell as it may stand in a file that somebody opens in a spreadsheet: what would begin a formula
 * there (`=`, `+`, `-`, `@`, tab, CR, LF, and the full-width forms of the first four) gets an
 * apostrophe before it, which makes it text. So does a cell that begins with apostrophes and then
 * such a character, so that `unguardCell` gives back every cell as it was. Numbers below zero are
 * guarded like all others: no reader has to know which cells were numbers.
 */
export function guardCell(cell: string): string {
  return formulaPattern.test(cell) ? `'${cell}` : cell;
}

/** The cell that `guardCell` made `cell` of; one that was never guarded stays as it is. */
export function unguardCell(cell: string): string {
  return guardedPattern.test(cell) ? cell.slice(1) : cell;
}

/**
 * One line of a file: cells guarded, quoted where RFC 4180 asks for it, separated by `;`, ended by CR
 * LF. `null` and the empty text are both an empty cell.
 */
export function toCsvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(toCell).join(CSV_SEPARATOR)}\r\n`;
}

function toCell(cell: string | null): string {
  return cell === null ? "" : toQuoted(cell.replaceAll('"', '""'));
}

/**
 * A cell whose quotes are doubled already, guarded, and quoted where it has to be: who writes many
 * cells of a column doubles the quotes of all of them at once.
 */
export function toQuoted(doubled: string): string {
  const guarded = guardCell(doubled);
  return quotedPattern.test(guarded) ? `"${guarded}"` : guarded;
}
