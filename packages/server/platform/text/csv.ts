import { guardCell } from "@avow/contract/csv";

/** Wire section 4. */
const CSV_SEPARATOR = ";";

const quotedPattern = /[";\r\n]/;
/** Line ends, also those that only some programs take for one. */
const lineEndPattern = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** A way to write CSV (wire section 9). Cells are guarded against formulas in both. */
export interface CsvDialect {
  lineEnd: string;
  /** Escapes the text of a cell, or of many cells at once, before it is guarded. */
  escape: (text: string) => string;
  /** Completes a guarded cell. */
  enclose: (cell: string) => string;
}

export const csvDialects = {
  /** RFC 4180: cells are quoted where necessary, and quotation marks in them doubled. */
  rfc4180: { lineEnd: "\r\n", escape: (text) => text.replaceAll('"', '""'), enclose: toQuoted },
  /**
   * For readers that split lines by `;`: no cell is quoted and quotation marks stay single, a separator in a cell becomes
   * a comma, and a line end a space. It cannot be read back without loss.
   */
  plain: {
    lineEnd: "\n",
    escape: (text) => text.replaceAll(CSV_SEPARATOR, ",").replace(lineEndPattern, " "),
    enclose: (cell) => cell,
  },
} satisfies Record<string, CsvDialect>;
export type CsvDialectName = keyof typeof csvDialects;

const innerJsonPattern = /[,\t]['"]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** A JSON string, or the comma before a negative number. */
const partPattern = /"[^"\\]*(?:\\.[^"\\]*)*"|,(?=-)/g;
const textPattern = /(?<=^"'*|,'*)[=+\-@\uff1d\uff0b\uff0d\uff20]/g;

/**
 * Returns equal JSON in which no comma is followed by the beginning of a formula: in strings such characters are
 * escaped (`\u003d`), and negative numbers get a leading space.
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

/** Serializes one line: cells are guarded and separated by `;`. `null` and the empty string are both an empty cell. */
export function toCsvLine(
  cells: readonly (string | null)[],
  dialect: CsvDialectName = "rfc4180",
): string {
  const { lineEnd, escape, enclose } = csvDialects[dialect];
  const toCell = (cell: string | null) => (cell === null ? "" : enclose(guardCell(escape(cell))));
  return cells.map(toCell).join(CSV_SEPARATOR) + lineEnd;
}

/** Quotes a cell whose quotation marks are doubled, if necessary. */
function toQuoted(doubled: string): string {
  return quotedPattern.test(doubled) ? `"${doubled}"` : doubled;
}
