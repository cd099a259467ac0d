import type { Bundle } from "./formats/bundle.ts";
import { toErasureRecord } from "./checks/erasure-checks.ts";
import { type Json, type JsonObject, isObject } from "./formats/json.ts";
import type { Words } from "./words/en.ts";

/** One line of what a record says. Both texts are anybody's: they are shown, never interpreted. */
export interface Row {
  label: string;
  value: string;
  /** Whether the label is ours; otherwise it is the member's name as it stands in the record. */
  isKnown: boolean;
}

/** A value that is longer is written over several lines. */
const LINE_MAX = 72;
/** So many leaves of an erasure are told. */
const SHOWN_MAX = 100;

/** Members that only tell what kind of record this is. */
const plain = new Set(["type", "v"]);

/** What the record of a bundle says, for people. */
export function describeBundle(bundle: Bundle, words: Words): Row[] {
  const record = bundle.kind === "consent" ? bundle.consent.record : toErasureRecord(bundle);
  return describeRecord(record, words);
}

/** What a record says, for people: first what is known, with its meaning, then the rest. */
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
    // The time of an imported record is its file's: the service's clock was not asked.
    const isFiled = name === "createdAt" && members["grade"] === "imported";
    const said = isFiled ? words.importedAt : label;
    return [{ label: said, value: toValue(name, member, words) + skew, isKnown: true }];
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

/** `{item: {answer, name?}}`, each item a line of its own. */
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

/** What an answer is to: its name and item; the configuration as a whole has no item. */
function toAnswerLabel(item: string, name: string, { values }: Words): string {
  if (item === "") return values.answer(name === "" ? values.whole : `${name} (${values.whole})`);
  return values.answer(name === "" || name === item ? item : `${name} (${item})`);
}

/** What the browser said beside the answer, each signal a line of its own. */
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

/** How far the visitor's clock was from the service's, where both are told. */
function describeSkew({ timestamp, createdAt, grade }: JsonObject, { values }: Words): string {
  if (grade === "imported") return "";
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

/** The first of many numbers, and how many there are. */
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
