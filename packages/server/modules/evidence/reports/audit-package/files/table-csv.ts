import type { RecordedConsent } from "@avow/contract/record";
import { escapeFormulas, toCsvLine } from "../../../../../platform/text/csv.ts";
import { pick, toAnswers } from "./answers.ts";
import { proofPath } from "./package.ts";
import type { PackageRecord } from "./records.ts";
import type { Words } from "../words/words.ts";

type Column = (of: PackageRecord, words: Words) => string | null;

type TextMember = {
  [K in keyof RecordedConsent]: RecordedConsent[K] extends string | null ? K : never;
}[keyof RecordedConsent];

/** The column of a member of the record that is a text or null. */
const member =
  (name: NonNullable<TextMember>): Column =>
  ({ record }) =>
    record[name] || null;

const columns: Record<string, Column> = {
  consentId: member("consentId"),
  createdAt: member("createdAt"),
  timestamp: member("timestamp"),
  token: member("token"),
  collection: member("collection"),
  identifier: member("identifier"),
  accept: ({ record }) => (record.accept ? "1" : "0"),
  answers: (one, words) =>
    toAnswers(one, words)
      .map(({ name, answer }) => (name === "" ? answer : `${name}: ${answer}`))
      .join(" / "),
  grade: ({ record }, words) => pick(words.grades, record.grade),
  language: member("language"),
  country: member("country"),
  url: member("url"),
  userAgent: member("userAgent"),
  value: ({ record: { value } }) =>
    value === null || value === undefined ? null : escapeFormulas(JSON.stringify(value)),
  version: ({ row }) => (row.version === null ? null : String(row.version)),
  publication: member("publication"),
  logIndex: ({ place }) => (place ? String(place.leaf) : null),
  proof: ({ row, place }) => (place ? proofPath(row.id) : null),
};

/** The consents of an audit package as CSV in the format of exports: `;`, RFC 4180, formulas escaped. */
export async function* writeCsv(
  pages: AsyncIterable<readonly PackageRecord[]>,
  words: Words,
): AsyncGenerator<string> {
  yield toCsvLine(Object.keys(columns));
  for await (const page of pages)
    yield page
      .map((one) => toCsvLine(Object.values(columns).map((toCell) => toCell(one, words))))
      .join("");
}
