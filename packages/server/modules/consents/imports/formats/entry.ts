import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import { Type, type Static } from "typebox";
import { InstantIn, toInstants } from "@avow/contract/instants";
import { timeOfId, uuidPattern } from "../../../../kernel/ids.ts";
import { compileCheck, createAjv } from "../../../../kernel/schemas.ts";
import { findMalformed } from "../../../../platform/text/wellformed.ts";
import { toAnswer } from "../../records/answer.ts";
import { BatchItemIn, Preferences, Token } from "@avow/contract/consents";

/** One line of a file as its format reads it, not yet validated. */
export interface RawEntry {
  token?: unknown;
  collection?: unknown;
  identifier?: unknown;
  accept?: unknown;
  /** RFC 3339, or ms since 1970. */
  date?: unknown;
  value?: unknown;
  preferences?: unknown;
  /** The preferences as JSON text, where the file has them so. */
  preferencesText?: string;
  consentId?: unknown;
  timestamp?: unknown;
  language?: unknown;
  url?: unknown;
}

const { collection, identifier, accept, timestamp, language, url } = BatchItemIn.properties;
const DatedIn = Type.Object({
  token: Token,
  collection,
  identifier,
  accept,
  timestamp,
  language,
  url,
});
const EntryIn = Type.Object({
  ...DatedIn.properties,
  date: Type.Union([InstantIn, Type.Number()]),
});
type EntryIn = Static<typeof EntryIn>;

export interface Entry {
  /** The id given in the file, if it can be the id of the record. */
  ownId: string | undefined;
  token: string;
  collection: "cookies" | "processings" | "contracts";
  identifier: string;
  accept: boolean;
  createdAt: Date;
  /** The same as text. */
  at: string;
  value: unknown;
  preferences: Preferences | null;
  /** Cache key: usually the same object for the same preferences. */
  answer: object;
  /** Value and preferences in canonical form, for comparison. */
  content: string;
  clientAt: Date | null;
  language: string | null;
  url: string | null;
}

/** An entry, or a sentence with the reason why it is invalid. */
type EntryResult = { entry: Entry } | { reason: string };

export type ReadEntry = (raw: RawEntry) => EntryResult;

interface ReadPreferences {
  preferences: Preferences | null;
  canonical: string;
  /** The content of an entry with these preferences and no value. */
  content: string;
  reason: string | undefined;
}

/** Cache limit: a few answers repeat all the time, and each is parsed once. */
const REMEMBERED_MAX = 2_000;
const REMEMBERED_LENGTH_MAX = 4_096;
const INSTANT_LENGTH = "2026-04-05T06:07:08.009Z".length;

/** Creates the validator of lines; it rejects dates later than `now`. */
export function openEntries(now: Date): ReadEntry {
  const ajv = createAjv(false);
  const check = compileCheck(ajv, EntryIn);
  const checkDated = compileCheck(ajv, DatedIn);
  const readPreferences = openPreferences();
  const nowMs = now.getTime();
  return (raw) => {
    const isPlain = isPlainDate(raw.date);
    const faults = isPlain ? checkDated(raw) : check(raw);
    if (faults.length > 0) return { reason: toSentence(faults) };
    const given = raw as EntryIn;
    const ms = typeof given.date === "number" ? given.date : toInstants(given.date).first.getTime();
    if (!Number.isInteger(ms) || ms < 0) return { reason: "date must not lie before 1970." };
    if (ms > nowMs) return { reason: "date lies in the future." };
    const { value = null } = raw;
    const malformed = value === null ? [] : findMalformed(value);
    if (malformed.length > 0) return { reason: `value ${toSentence(malformed)}` };
    const answer = readPreferences(raw);
    if (answer.reason !== undefined) return { reason: answer.reason };
    const more = hasMore(given) ? toAnswer(given) : none;
    const createdAt = new Date(ms);
    const entry: Entry = {
      ownId: isIdAt(raw.consentId, ms) ? raw.consentId : undefined,
      token: given.token,
      collection: given.collection,
      identifier: given.identifier,
      accept: given.accept,
      createdAt,
      at: isPlain && typeof given.date === "string" ? given.date : createdAt.toISOString(),
      value,
      preferences: answer.preferences,
      answer,
      content: value === null ? answer.content : `${canonicalize(value)}\n${answer.canonical}`,
      clientAt: more.clientAt,
      language: more.language,
      url: more.url,
    };
    return { entry };
  };
}

/** The usual format of dates; days 29 to 31 need the check that knows the months. */
const plainPattern =
  /^(?:19[7-9]|20\d)\d-(?:0[1-9]|1[0-2])-(?:[01][1-9]|10|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** Fast check for a valid date in the format that we write. */
function isPlainDate(date: unknown): boolean {
  return typeof date === "string" && date.length === INSTANT_LENGTH && plainPattern.test(date);
}

const none = { clientAt: null, language: null, url: null };

function hasMore(given: EntryIn): boolean {
  return given.timestamp !== undefined || given.language !== undefined || given.url !== undefined;
}

function openPreferences(): (raw: RawEntry) => ReadPreferences {
  const check = compileCheck(createAjv(false), Preferences);
  const remembered = new Map<string, ReadPreferences>();
  const nothing = toRead(null);
  return ({ preferences, preferencesText }) => {
    const isText = preferencesText !== undefined;
    if (!isText && (preferences === undefined || preferences === null)) return nothing;
    const text = isText ? preferencesText : JSON.stringify(preferences);
    const known = remembered.get(text);
    if (known) return known;
    const given = isText ? parseJson(text) : preferences;
    if (given === undefined) return { ...nothing, reason: "preferences must be JSON." };
    if (given === null) return nothing;
    const malformed = findMalformed(given);
    const faults = malformed.length > 0 ? malformed : check(given);
    if (faults.length > 0) return { ...nothing, reason: `preferences ${toSentence(faults)}` };
    const read = toRead(given);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    if (text.length <= REMEMBERED_LENGTH_MAX) remembered.set(text, read);
    return read;
  };
}

function toRead(given: Preferences | null): ReadPreferences {
  const preferences = given && toAnswer({ accept: true, preferences: given }).preferences;
  const canonical = toCanonicalPreferences(preferences);
  const content = `null\n${canonical}`;
  const kept = canonical === "null" ? null : preferences;
  return { preferences: kept, canonical, content, reason: undefined };
}

/** Parses JSON; undefined for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Missing and empty preferences are equal. */
function toCanonicalPreferences(preferences: unknown): string {
  const canonical = canonicalize(preferences ?? null) ?? "null";
  return canonical === "{}" ? "null" : canonical;
}

/** The content of a stored record, comparable to `Entry.content`. */
export function toContent(record: { value: unknown; preferences: unknown }): string {
  return `${canonicalize(record.value ?? null)}\n${toCanonicalPreferences(record.preferences)}`;
}

/** Whether it is a UUID version 7 of this millisecond, which the record then keeps. */
function isIdAt(id: unknown, ms: number): id is string {
  if (typeof id !== "string" || !uuidPattern.test(id) || id[14] !== "7") return false;
  return timeOfId(id).getTime() === ms && /[89ab]/.test(id[19] ?? "");
}

/**
 * Derives the record id of an entry without one: a UUID version 7 of its date, with the other bits
 * derived from its content. The same entry always has the same id.
 */
export function deriveId(entry: Entry): string {
  const ms = entry.createdAt.getTime();
  const key = [entry.token, entry.collection, entry.identifier, entry.accept, ms];
  const digest = hash("sha256", `${JSON.stringify(key)}\n${entry.content}`, "hex");
  const time = ms.toString(16).padStart(12, "0");
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

function toSentence(faults: readonly { path: string; message: string }[]): string {
  const sentences = faults
    .slice(0, 5)
    .map(({ path, message }) => `${path.slice(1)} ${message}`.trim());
  return `${sentences.join("; ")}.`;
}
