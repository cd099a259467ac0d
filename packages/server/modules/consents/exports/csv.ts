import { guardCell, guardStart } from "@avow/contract/csv";
import {
  type CsvDialectName,
  csvDialects,
  escapeFormulas,
  toCsvLine,
} from "../../../platform/text/csv.ts";
import { type Encoder, openInstants, toOneLine, toPieces } from "./encoder.ts";

/** The columns of wire section 4. */
const head = ["token", "collection", "identifier", "accept", "date", "value", "preferences"];

/** CSV of wire section 4: `;`, `accept` 1 or 0, JSON in its last two columns, no formulas. */
export function openCsv({
  dialect = "rfc4180",
}: {
  dialect?: CsvDialectName | undefined;
}): Encoder {
  const { escape, enclose, lineEnd } = csvDialects[dialect];
  const isPlain = dialect === "plain";
  const escapeJson = (all: string): string =>
    isPlain ? all : escape(escapeFormulas(toOneLine(all)));
  const toText = (escaped = ""): string => enclose(guardCell(escaped));
  const toJson = (escaped = ""): string =>
    isPlain ? toPlainJson(escaped) : enclose(guardStart(escaped));
  const toInstant = openInstants();
  return {
    columns: ["token", "collection", "identifier", "created_at", "value", "preferences"],
    isAppendable: true,
    begin: (isPart) => (isPart ? [] : [Buffer.from(toCsvLine(head, dialect))]),
    encode(page) {
      const tokens = page.valuesOf("token", escape);
      const collections = page.valuesOf("collection", escape);
      const identifiers = page.valuesOf("identifier", escape);
      const instants = page.valuesOf("created_at");
      const values = page.valuesOf("value", escapeJson);
      const preferences = page.valuesOf("preferences", escapeJson);
      return toPieces(page.count, (n) => {
        const named = `${toText(tokens[n])};${toText(collections[n])};${toText(identifiers[n])}`;
        const rest = `${page.accept[n] ?? ""};${toInstant(instants[n] ?? "")}`;
        return `${named};${rest};${toJson(values[n])};${toJson(preferences[n])}${lineEnd}`;
      });
    },
    end: () => [],
  };
}

/** A value in the plain dialect: a text without the quotation marks of JSON, anything else as JSON. */
function toPlainJson(json: string): string {
  const { escape } = csvDialects.plain;
  if (json.startsWith('"')) return guardCell(escape(JSON.parse(json) as string));
  // A semicolon that becomes a comma may begin a cell for another program, so formulas are escaped after it.
  return guardStart(escapeFormulas(escape(json)));
}
