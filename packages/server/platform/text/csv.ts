/** What separates cells (wire section 4). */
const CSV_SEPARATOR = ";";

/** What a spreadsheet takes for the beginning of a formula, also after it dropped white space. */
const formula = "[=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20]";
const formulaPattern = new RegExp(`^'*${formula}`);
const guardedPattern = new RegExp(`^'+${formula}`);
/**
 * The same within a cell, behind what separates cells for a program that takes the file for another
 * kind: comma, tab, line end. To such a program quotation marks mean something there only.
 */
const inner = "(?:[=+\\-@\\t\\uff1d\\uff0b\\uff0d\\uff20]|\\r(?!\\n))";
const innerPattern = new RegExp(`(?<=[,\\t\\r\\n])(?=['"]*${inner})`, "g");
const innerGuardedPattern = new RegExp(`(?<=[,\\t\\r\\n])'(?=['"]*${inner})`, "g");
const quotedPattern = /[";\r\n]/;

/**
 * The cell as it may stand in a file that somebody opens in a spreadsheet: what would begin a formula
 * there (`=`, `+`, `-`, `@`, tab, CR, LF, and the full-width forms of the first four) gets an
 * apostrophe before it, which makes it text. So does a cell that begins with apostrophes and then
 * such a character, so that `unguardCell` gives back every cell as it was. Numbers below zero are
 * guarded like all others: no reader has to know which cells were numbers.
 *
 * A spreadsheet that separates by comma or tab begins cells within ours: what follows a comma, a tab or
 * a line end is guarded in the same way, where only apostrophes and quotation marks stand before it.
 */
export function guardCell(cell: string): string {
  return guardStart(cell.replace(innerPattern, "'"));
}

/** The cell that `guardCell` made `cell` of; one that was never guarded stays as it is. */
export function unguardCell(cell: string): string {
  return unguardStart(cell).replace(innerGuardedPattern, "");
}

/** A cell that holds JSON of `escapeFormulas`: nothing but its first character can begin a formula. */
export function guardStart(cell: string): string {
  return formulaPattern.test(cell) ? `'${cell}` : cell;
}

/** The JSON that `guardStart` made `cell` of. */
export function unguardStart(cell: string): string {
  return guardedPattern.test(cell) ? cell.slice(1) : cell;
}

const innerJsonPattern = /[,\t]['"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** A text of JSON, or the comma before a number below zero. */
const partPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|,(?=-)/g;
const textPattern = /(?<=^"'*|,'*)[=+\-@\uff1d\uff0b\uff0d\uff20]/g;

/**
 * JSON in which no comma is followed by what begins a formula: in texts such characters are escaped
 * (`\u003d`), and numbers below zero get a space before them. It says the same.
 */
export function escapeFormulas(json: string): string {
  if (!innerJsonPattern.test(json)) return json;
  return json.replace(partPattern, (part) =>
    part === "," ? ", " : part.replace(textPattern, toEscape),
  );
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * One line of a file: cells guarded, quoted where RFC 4180 asks for it, separated by `;`, ended by CR
 * LF. `null` and the empty text are both an empty cell.
 */
export function toCsvLine(cells: readonly (string | null)[]): string {
  return `${cells.map(toCell).join(CSV_SEPARATOR)}\r\n`;
}

function toCell(cell: string | null): string {
  return cell === null ? "" : toQuoted(guardCell(cell.replaceAll('"', '""')));
}

/**
 * A guarded cell whose quotes are doubled already, quoted where it has to be: who writes many cells of
 * a column doubles the quotes of all of them at once.
 */
export function toQuoted(doubled: string): string {
  return quotedPattern.test(doubled) ? `"${doubled}"` : doubled;
}
