import type { Bundle } from "./formats/bundle.ts";
import { toErasureRecord } from "./checks/erasure-checks.ts";
import { type Json, type JsonObject, isObject } from "./formats/json.ts";
import type { Words } from "./words/en.ts";

/** One line of a record's description. Both texts are untrusted: show them as text only. */
export interface Row {
  label: string;
  value: string;
  /** Whether the label is ours; otherwise it is the name of the member in the record. */
  isKnown: boolean;
}

/** Longer values are formatted over several lines. */
const LINE_MAX = 72;
/** Maximum leaves of an erasure that are listed. */
const SHOWN_MAX = 100;

/** Members that identify the kind of record, which are not listed. */
const plain = new Set(["type", "v"]);

/** Describes the record of a bundle. */
export function describeBundle(bundle: Bundle, words: Words): Row[] {
  const record = bundle.kind === "consent" ? bundle.consent.record : toErasureRecord(bundle);
  return describeRecord(record, words);
}

/** Describes a record: first the known members, with labels, then the others. */
export function describeRecord(record: JsonObject, words: Words): Row[] {
  const { answers, ...members } = record;
  const known = Object.entries(words.fields).filter(
    ([name]) => Object.hasOwn(members, name) && members[name] !== null,
  );
  const others = Object.keys(members).filter(
    (name) => !plain.has(name) && !Object.hasOwn(words.fields, name),
  );
  const [accept, ...rest] = known.flatMap(([name, label]) => {
    const member = members[name] ?? null;
    if (name === "signals" && isObject(member)) return describeSignals(member, words);
    const skew = name === "timestamp" ? describeSkew(members, words) : "";
    // The time of a record from a file comes from the file, not from the service's clock.
    const shownLabel = name === "createdAt" && isFromFile(members) ? words.importedAt : label;
    const isAdopted = name === "grade" && member === "imported" && !isFromFile(members);
    const value = isAdopted ? words.values.adopted : toValue(name, member, words) + skew;
    return [{ label: shownLabel, value, isKnown: true }];
  });
  return [
    ...(accept ? [accept] : []),
    ...describeAnswers(answers, words),
    ...rest,
    ...others.map((name) => ({
      label: name,
      value: toText(members[name] ?? null, words.values),
      isKnown: false,
    })),
  ];
}

/** Whether a record is from an imported file, and not adopted from another consent tool in the browser. */
function isFromFile({ grade, preferences = null }: JsonObject): boolean {
  return grade === "imported" && !(isObject(preferences) && preferences["imported"]);
}

/** One row for each item of `{item: {answer, name?}}`. */
function describeAnswers(answers: Json | undefined, words: Words): Row[] {
  if (answers === undefined || answers === null) return [];
  if (!isObject(answers))
    return [{ label: "answers", value: toText(answers, words.values), isKnown: false }];
  return Object.entries(answers).map(([item, given]) => {
    const { answer = given, name } = isObject(given) ? given : {};
    const value = toText(answer, words.values);
    return {
      label: toAnswerLabel(item, typeof name === "string" ? name : "", words),
      value: pick(words.values.answers, value),
      isKnown: true,
    };
  });
}

/** The label of an answer: its name and item; the configuration as a whole has no item. */
function toAnswerLabel(item: string, name: string, { values }: Words): string {
  if (item === "") return values.answer(name === "" ? values.whole : `${name} (${values.whole})`);
  return values.answer(name === "" || name === item ? item : `${name} (${item})`);
}

/** One row for each signal that the browser sent with the answer. */
function describeSignals(signals: JsonObject, { values }: Words): Row[] {
  return Object.entries(signals)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ({
      label: pick(values.signals, name),
      value:
        name === "gpc" && typeof value === "boolean"
          ? pick(values.gpc, String(value))
          : toText(value, values),
      isKnown: Object.hasOwn(values.signals, name),
    }));
}

/** The difference between the visitor's clock and the service's; empty unless both times are recorded. */
function describeSkew(members: JsonObject, { values }: Words): string {
  const { timestamp, createdAt } = members;
  if (isFromFile(members)) return "";
  if (typeof timestamp !== "string" || typeof createdAt !== "string") return "";
  const ms = Date.parse(timestamp) - Date.parse(createdAt);
  return Number.isNaN(ms) ? "" : ` (${values.skew(ms)})`;
}

function toValue(name: string, value: Json, words: Words): string {
  const text = toText(value, words.values);
  if (typeof value === "boolean" && name === "accept")
    return pick(words.values.accept, String(value));
  if (name === "leaves" && Array.isArray(value)) return toList(value);
  if (name === "reason") return pick(words.values.reasons, text);
  if (name === "grade") return pick(words.values.grades, text);
  return name === "collection" ? pick(words.values.collections, text) : text;
}

/** The first numbers of a list, and their count. */
function toList(items: readonly Json[]): string {
  const shown = items.slice(0, SHOWN_MAX).map(String).join(", ");
  return items.length > SHOWN_MAX ? `${shown} … (${items.length})` : shown;
}

function pick(meanings: Readonly<Record<string, string>>, text: string): string {
  return Object.hasOwn(meanings, text) ? (meanings[text] ?? text) : text;
}

function toText(value: Json, values: Words["values"]): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? values.yes : values.no;
  if (value === null) return values.none;
  const line = JSON.stringify(value);
  return line.length > LINE_MAX ? JSON.stringify(value, null, 2) : line;
}
