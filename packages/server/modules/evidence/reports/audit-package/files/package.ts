import type { Prover } from "../../../proofs/prover.ts";
import type { TimestampRow } from "../../../anchors/timestamp-store.ts";
import type { ConsentSelection } from "../select/sample.ts";
import type { Survey } from "../select/survey.ts";
import { formatFirstOfMonth } from "../../statement/dates.ts";
import { ERASURES_SUMMED_MAX } from "../../../erasures/erasures.ts";
import type { Words } from "../words/words.ts";

/** An audit package to write: the data that its files share. */
export interface AuditPackage {
  project: { id: string; title: string };
  selection: ConsentSelection;
  survey: Survey;
  requestedBy: { id: string; name: string };
  requestedAt: Date;
  /** The newest time-stamp of a tree that the package's tree extends; undefined if there is none. */
  timestamp: TimestampRow | undefined;
  /** Erasures of the project so far, by the log's entries. */
  erased: { erasures: number; records: number };
  /** Whether the requester may read the audit trail, which is included then. */
  hasTrail: boolean;
  words: Words;
}

/** The signed tree of all proofs. */
export function headOf({ survey }: AuditPackage): Prover["head"] {
  return survey.prover.head;
}

/** The files of a package and a description of each. */
export function listNamedFiles({
  timestamp,
  hasTrail,
  words,
}: AuditPackage): [name: string, what: string][] {
  const { items, trail, stamped } = words.files;
  return [
    ...Object.entries(items),
    ...(hasTrail ? Object.entries(trail) : []),
    ...(timestamp ? Object.entries(stamped) : []),
  ];
}

/** Describes the erasures of the project; empty if there are none. */
export function toErased({ erased, words }: AuditPackage): string[] {
  const { erasures, records } = erased;
  if (erasures === 0) return [];
  const hasMore = erasures === ERASURES_SUMMED_MAX;
  return [words.erased(words.number(records), words.number(erasures), hasMore)];
}

export const proofPath = (consentId: string): string => `proofs/${consentId}.json`;
export const versionPath = (hash: string): string => `versions/${hash}.json`;

/** An instant for people, in UTC, to the second. */
export function toReadable(instant: Date, { lang }: Words): string {
  const date = instant.toLocaleDateString(lang === "en" ? "en-GB" : lang, {
    timeZone: "UTC",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
  return `${formatFirstOfMonth(date, lang)}, ${instant.toISOString().slice(11, 19)} UTC`;
}

/** A period for people. It includes its start and excludes its end. */
export function toPeriod({ from, to }: ConsentSelection, words: Words): string {
  const start = from === undefined ? words.from : words.since(toReadable(from, words));
  return `${start}, ${words.until(toReadable(to, words))}`;
}

/**
 * Escapes a user's text for a line of plain text: characters that break the line or change the direction of the text
 * after it are written as code points.
 */
export function toLineText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

/** Describes the content of a package in one sentence. */
export function describeSelection({ selection, words }: AuditPackage): string {
  const { method } = selection;
  if (method.kind === "period") return words.holds.period;
  if (method.kind === "person") return words.holds.person(toLineText(method.token));
  return words.holds.sample(words.number(method.size), words.number(method.population));
}
