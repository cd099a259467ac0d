import { escapeFormulas, toCsvLine } from "../../../../../platform/text/csv.ts";
import { pick, toAnswers, toText } from "./answers.ts";
import { proofPath } from "./package.ts";
import type { DossierRecord } from "./records.ts";
import type { Words } from "../words/words.ts";

type Column = (of: DossierRecord, words: Words) => string | null;

/** A record's member that is a text or nothing. */
const member =
  (name: string): Column =>
  ({ record }) =>
    toText(record[name]) || null;
/** Any member as JSON; nothing where it is not there. */
const json =
  (name: string): Column =>
  ({ record }) =>
    record[name] === null || record[name] === undefined
      ? null
      : escapeFormulas(JSON.stringify(record[name]));

const columns: Record<string, Column> = {
  consentId: member("consentId"),
  createdAt: member("createdAt"),
  timestamp: member("timestamp"),
  token: member("token"),
  collection: member("collection"),
  identifier: member("identifier"),
  accept: ({ record }) => (record["accept"] === true ? "1" : "0"),
  answers: (one, words) =>
    toAnswers(one, words)
      .map(({ name, answer }) => (name === "" ? answer : `${name}: ${answer}`))
      .join(" / "),
  grade: ({ record }, words) => pick(words.grades, toText(record["grade"])),
  language: member("language"),
  country: member("country"),
  url: member("url"),
  userAgent: member("userAgent"),
  value: json("value"),
  version: ({ row }) => (row.version === null ? null : String(row.version)),
  publication: member("publication"),
  logIndex: ({ place }) => (place ? String(place.leaf) : null),
  proof: ({ row, place }) => (place ? proofPath(row.id) : null),
};

/** The consents of a dossier as CSV, in the manner of exports: `;`, RFC 4180, no formulas. */
export async function* writeCsv(
  pages: AsyncIterable<readonly DossierRecord[]>,
  words: Words,
): AsyncGenerator<string> {
  yield toCsvLine(Object.keys(columns));
  for await (const page of pages)
    yield page
      .map((one) => toCsvLine(Object.values(columns).map((toCell) => toCell(one, words))))
      .join("");
}
