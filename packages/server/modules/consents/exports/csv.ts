import {
  escapeFormulas,
  guardCell,
  guardStart,
  toCsvLine,
  toQuoted,
} from "../../../platform/text/csv.ts";
import { type Encoder, openInstants, toOneLine, toPieces } from "./encoder.ts";

/** The columns of wire section 4. */
const head = ["token", "collection", "identifier", "accept", "date", "value", "preferences"];

const double = (all: string): string => all.replaceAll('"', '""');
const doubleJson = (all: string): string => double(escapeFormulas(toOneLine(all)));
const toText = (doubled = ""): string => toQuoted(guardCell(doubled));
const toJson = (doubled = ""): string => toQuoted(guardStart(doubled));

/** CSV of wire section 4: `;`, `accept` 1 or 0, JSON in its last two columns, no formulas. */
export function openCsv(): Encoder {
  const toInstant = openInstants();
  return {
    columns: ["token", "collection", "identifier", "created_at", "value", "preferences"],
    isAppendable: true,
    begin: (isPart) => (isPart ? [] : [Buffer.from(toCsvLine(head))]),
    encode(page) {
      const tokens = page.valuesOf("token", double);
      const collections = page.valuesOf("collection", double);
      const identifiers = page.valuesOf("identifier", double);
      const instants = page.valuesOf("created_at");
      const values = page.valuesOf("value", doubleJson);
      const preferences = page.valuesOf("preferences", doubleJson);
      return toPieces(page.count, (n) => {
        const named = `${toText(tokens[n])};${toText(collections[n])};${toText(identifiers[n])}`;
        const rest = `${page.accept[n] ?? ""};${toInstant(instants[n] ?? "")}`;
        return `${named};${rest};${toJson(values[n])};${toJson(preferences[n])}\r\n`;
      });
    },
    end: () => [],
  };
}
