import { toCsvLine, toQuoted } from "../../../platform/csv.ts";
import { type Encoder, toInstant, toOneLine, toPieces } from "./encoder.ts";

/** The columns of wire section 4. */
const head = ["token", "collection", "identifier", "accept", "date", "value", "preferences"];

const double = (all: string): string => all.replaceAll('"', '""');

/** CSV of wire section 4: `;`, `accept` 1 or 0, JSON in its last two columns, no formulas. */
export function openCsv(): Encoder {
  return {
    columns: ["token", "collection", "identifier", "createdAt", "value", "preferences"],
    isAppendable: true,
    begin: (isPart) => (isPart ? [] : [Buffer.from(toCsvLine(head))]),
    encode(page) {
      const tokens = page.valuesOf("token", double);
      const collections = page.valuesOf("collection", double);
      const identifiers = page.valuesOf("identifier", double);
      const instants = page.valuesOf("createdAt");
      const values = page.valuesOf("value", (all) => double(toOneLine(all)));
      const preferences = page.valuesOf("preferences", (all) => double(toOneLine(all)));
      return toPieces(page.count, (n) => {
        const named = `${toQuoted(tokens[n] ?? "")};${toQuoted(collections[n] ?? "")};${toQuoted(identifiers[n] ?? "")}`;
        const said = `${page.accept[n] ?? ""};${toInstant(instants[n] ?? "")}`;
        return `${named};${said};${toQuoted(values[n] ?? "")};${toQuoted(preferences[n] ?? "")}\r\n`;
      });
    },
    end: () => [],
  };
}
