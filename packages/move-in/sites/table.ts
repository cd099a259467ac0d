// The build for browsers runs in Node, too.
import { CsvError, parse } from "csv-parse/browser/esm/sync";
import { toCsvCell, unguardCsvCell } from "@avow/contract/csv";

/** Maximum number of rows of a table. */
export const ROWS_MAX = 500;
/** Maximum length of a table, in UTF-16 code units. */
export const TEXT_LENGTH_MAX = 1024 * 1024;

/** The columns of a table of sites. Only `websiteURL` is required. */
export const siteColumns = ["title", "websiteURL", "groups", "organization", "template"] as const;
type SiteColumn = (typeof siteColumns)[number];

/** A row of a table of sites, as written. */
export interface SiteRow extends Record<SiteColumn, string> {
  /** The number of its last line in the text, from 1 on. */
  line: number;
}

export type TableFault =
  | { code: "empty" }
  | { code: "too long" }
  | { code: "too many rows"; max: number }
  | { code: "no address column"; columns: readonly string[] }
  | { code: "unknown column"; name: string }
  | { code: "repeated column"; name: string }
  | { code: "too many cells"; line: number }
  | { code: "not CSV"; line: number };

/** A text that is no table of sites. */
export class SiteTableError extends Error {
  override name = "SiteTableError";
  readonly fault: TableFault;

  constructor(fault: TableFault) {
    super(toFaultText(fault));
    this.fault = fault;
  }
}

function toFaultText(fault: TableFault): string {
  switch (fault.code) {
    case "empty":
      return "The table has no rows. Add one for each site below the header.";
    case "too long":
      return `The table has more than ${TEXT_LENGTH_MAX} characters.`;
    case "too many rows":
      return `The table has more than ${fault.max} rows. Divide it.`;
    case "no address column":
      return `The first line has no column websiteURL. The columns are ${siteColumns.join(", ")}.`;
    case "unknown column":
      return `The column ${fault.name} is unknown. The columns are ${siteColumns.join(", ")}.`;
    case "repeated column":
      return `The column ${fault.name} occurs twice.`;
    case "too many cells":
      return `Line ${fault.line} has more cells than the header. Quote cells that contain a separator.`;
    default:
      return `Line ${fault.line} is not valid CSV: a quotation mark is not closed, or stands inside a cell without being doubled.`;
  }
}

/**
 * Reads a table of sites: CSV (RFC 4180) in Unicode, with a byte order mark or without, whose first line names the columns
 * in any order and case. The separator is the comma, the semicolon or the tab of that line. Empty rows are left out.
 * @throws SiteTableError
 */
export function readSiteTable(text: string): readonly SiteRow[] {
  if (text.length > TEXT_LENGTH_MAX) throw new SiteTableError({ code: "too long" });
  const plain = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const [header, ...records] = parseRecords(plain);
  if (!header) throw new SiteTableError({ code: "empty" });
  const columns = readColumns(header.cells);
  // Only tables of `writeFailedSites` have guards.
  const isWritten = columns.includes(REASON);
  const rows = records.filter(({ cells }) => cells.some((cell) => cell !== ""));
  if (rows.length === 0) throw new SiteTableError({ code: "empty" });
  if (rows.length > ROWS_MAX) throw new SiteTableError({ code: "too many rows", max: ROWS_MAX });
  return rows.map(({ cells, line }) => {
    if (cells.slice(columns.length).some((cell) => cell !== ""))
      throw new SiteTableError({ code: "too many cells", line });
    const cellOf = (column: SiteColumn): string => {
      const cell = cells[columns.indexOf(column)] ?? "";
      return isWritten ? unguardCsvCell(cell) : cell;
    };
    return {
      line,
      title: cellOf("title"),
      websiteURL: cellOf("websiteURL"),
      groups: cellOf("groups"),
      organization: cellOf("organization"),
      template: cellOf("template"),
    };
  });
}

interface Line {
  cells: string[];
  line: number;
}

function parseRecords(text: string): Line[] {
  try {
    const records = parse(text, {
      delimiter: findSeparator(text),
      info: true,
      record_delimiter: "\n",
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return records.map(({ record: cells, info: { lines: line } }) => ({ cells, line }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = Number(error["lines"]);
    throw new SiteTableError({ code: "not CSV", line });
  }
}

/** The separator that occurs most in the first line. */
function findSeparator(text: string): string {
  const [first = ""] = text.trimStart().split("\n", 1);
  const countOf = (separator: string): number => first.split(separator).length;
  return [",", ";", "\t"].reduce((best, next) => (countOf(next) > countOf(best) ? next : best));
}

/** The column that `writeFailedSites` adds, which is ignored when the corrected table is read. */
const REASON = "reason";

function readColumns(cells: readonly string[]): (SiteColumn | typeof REASON)[] {
  const columns = cells.map((cell) => {
    const found = ([...siteColumns, REASON] as const).find(
      (name) => name.toLowerCase() === cell.toLowerCase(),
    );
    if (!found) throw new SiteTableError({ code: "unknown column", name: cell.slice(0, 100) });
    return found;
  });
  const repeated = columns.find((name, at) => columns.indexOf(name) < at);
  if (repeated !== undefined) throw new SiteTableError({ code: "repeated column", name: repeated });
  if (!columns.includes("websiteURL"))
    throw new SiteTableError({ code: "no address column", columns });
  return columns;
}

/**
 * A table of rows that were not created, each with its reason, to correct and to read again. Its cells are guarded against
 * formulas in spreadsheets.
 */
export function writeFailedSites(failed: readonly { row: SiteRow; reason: string }[]): string {
  const lines = [
    [...siteColumns, REASON],
    ...failed.map(({ row, reason }) => [...siteColumns.map((name) => row[name]), reason]),
  ];
  return lines.map((cells) => `${cells.map(toCsvCell).join(",")}\n`).join("");
}
