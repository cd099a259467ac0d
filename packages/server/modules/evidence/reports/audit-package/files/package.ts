import type { Prover } from "../../../proofs/prover.ts";
import type { TimestampRow } from "../../../anchors/timestamp-store.ts";
import type { Choice } from "../select/sample.ts";
import type { Survey } from "../select/survey.ts";
import { toFirst } from "../../statement/dates.ts";
import { ERASURES_SUMMED_MAX } from "../../../erasures/erasures.ts";
import type { Words } from "../words/words.ts";

/** A dossier that is to be written: all that its files tell in common. */
export interface Dossier {
  project: { id: string; title: string };
  choice: Choice;
  survey: Survey;
  askedBy: { id: string; name: string };
  askedAt: Date;
  /** The newest time-stamp of a tree that the dossier's goes on from; undefined where there is none. */
  timestamp: TimestampRow | undefined;
  /** What was erased from the project by then, by the log's own entries. */
  erased: { erasures: number; records: number };
  /** Whether who asked may read the audit trail too: then the dossier has it. */
  hasTrail: boolean;
  words: Words;
}

/** A dossier's log: what it calls itself, and the tree that every proof is under. */
export function headOf({ survey }: Dossier): Prover["head"] {
  return survey.prover.head;
}

/** What lies in a dossier beside proofs and versions, with a word on each. */
export function listNamedFiles({
  timestamp,
  hasTrail,
  words,
}: Dossier): [name: string, what: string][] {
  const { items, trail, stamped } = words.files;
  return [
    ...Object.entries(items),
    ...(hasTrail ? Object.entries(trail) : []),
    ...(timestamp ? Object.entries(stamped) : []),
  ];
}

/** What was erased from the project, in words; nothing where nothing was. */
export function toErased({ erased, words }: Dossier): string[] {
  const { erasures, records } = erased;
  if (erasures === 0) return [];
  const isMore = erasures === ERASURES_SUMMED_MAX;
  return [words.erased(words.number(records), words.number(erasures), isMore)];
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
  return `${toFirst(date, lang)}, ${instant.toISOString().slice(11, 19)} UTC`;
}

/** A period for people: its first instant is in it, its last is not. */
export function toPeriod({ from, to }: Choice, words: Words): string {
  const start = from === undefined ? words.from : words.since(toReadable(from, words));
  return `${start}, ${words.until(toReadable(to, words))}`;
}

/**
 * A text of others in a line of ours, where no markup keeps the two apart: what would break the line, or
 * turn the direction of what follows, is written as its code point.
 */
export function toLineText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}

/** What a dossier holds, in one sentence. */
export function toHolding({ choice, words }: Dossier): string {
  const { method } = choice;
  if (method.kind === "period") return words.holds.period;
  if (method.kind === "person") return words.holds.person(toLineText(method.token));
  return words.holds.sample(words.number(method.size), words.number(method.population));
}
