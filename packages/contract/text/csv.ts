/** Characters that begin a formula in a spreadsheet, also after it trims white space. */
const formula = "[=+\\-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20]";
const formulaPattern = new RegExp(`^'*${formula}`);
const guardedPattern = new RegExp(`^'+${formula}`);
/**
 * The same inside a cell, after a comma, a tab or a line end, which separate cells for a program that assumes
 * another separator. Quotation marks have a meaning for such a program only there.
 */
const inner = "(?:[=+\\-@\\t\\uff1d\\uff0b\\uff0d\\uff20]|\\r(?!\\n))";
const innerPatterns = toInnerPatterns(",");
/** For files that no semicolon separates, too. */
const widePatterns = toInnerPatterns(",;");

function toInnerPatterns(separators: string) {
  const before = `(?<=[${separators}\\t\\r\\n])`;
  const start = `(?=['"]*${inner})`;
  return {
    bare: new RegExp(before + start, "g"),
    guarded: new RegExp(`${before}'${start}`, "g"),
  };
}

/**
 * Protects a cell against formula injection in spreadsheets: a cell that begins with `=`, `+`, `-`, `@`, tab, CR,
 * LF, or the full-width form of the first four gets a leading apostrophe, which makes it text. So does a cell
 * that has such a character after leading apostrophes, so that `unguardCell` restores every cell. Negative
 * numbers are guarded like all others, so that a reader need not know which cells were numbers.
 *
 * A spreadsheet that separates by comma or tab finds cells inside ours. Text after a comma, a tab or a line end is
 * therefore guarded in the same way, also after apostrophes and quotation marks.
 */
export function guardCell(cell: string): string {
  return guardStart(cell.replace(innerPatterns.bare, "'"));
}

/** Reverses `guardCell`. A cell that was not guarded is returned unchanged. */
export function unguardCell(cell: string): string {
  return unguardStart(cell).replace(innerPatterns.guarded, "");
}

/** Guards a cell with JSON of `escapeFormulas`, in which only the first character can begin a formula. */
export function guardStart(cell: string): string {
  return formulaPattern.test(cell) ? `'${cell}` : cell;
}

/** Reverses `guardStart`. */
export function unguardStart(cell: string): string {
  return guardedPattern.test(cell) ? cell.slice(1) : cell;
}

const quotedPattern = /[",;\t\r\n]/;

/**
 * A cell of CSV (RFC 4180) with commas or semicolons between its cells: guarded like `guardCell`, and after semicolons too, and quoted
 * where necessary.
 */
export function toCsvCell(text: string): string {
  const guarded = guardStart(text.replaceAll('"', '""').replace(widePatterns.bare, "'"));
  return quotedPattern.test(guarded) ? `"${guarded}"` : guarded;
}

/** Reverses the guard of `toCsvCell` in a parsed cell. */
export function unguardCsvCell(cell: string): string {
  return unguardStart(cell).replace(widePatterns.guarded, "");
}
