import { randomFillSync } from "node:crypto";
import canonicalize from "canonicalize";
import type { RecordedRow } from "../../../consents/commitments/recorded.ts";
import { sha256 } from "./hashes.ts";

/** Records are padded to a multiple of so many bytes, so that their length tells nothing. */
const BUCKET_BYTES = 256;
export const SALT_BYTES = 32;
const SPACE = 0x20;
/** Where entries are put together to be hashed: nothing in it is ever read again. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** A document that the log commits to. */
export type Committed = Readonly<Record<string, unknown>>;

/** What a record is told with, each as canonical JSON. */
export interface RecordFacts {
  answers: string;
  preferences: string;
  value: string;
  /** Of the preferences, what they say for other systems. */
  googleConsentMode: string;
  tcString: string;
  /** The hash of the published version that was shown; null where none was live. */
  publication: string | null;
}

/** A record's text but for its id, its time and its token, which stand between these parts. */
export interface Frame {
  toId: string;
  toTime: string;
  toToken: string;
  end: string;
}

/**
 * A consent as it is committed to, as canonical JSON (RFC 8785): members by name, strings and numbers
 * as `JSON.stringify` has them. Every member is made of what never changes, and always there, but for
 * those that came later: a row that was committed to without them has null in their columns, and gives
 * the same bytes for ever. What is to be told in another way needs another `v`. Written out, since this
 * runs for every consent.
 */
export function toConsentText(row: RecordedRow, facts: RecordFacts): string {
  const { toId, toTime, toToken, end } = toFrame(row, facts);
  return `${toId}${row.id}${toTime}${row.created_at.toISOString()}${toToken}${text(row.token)}${end}`;
}

/** The same text without what differs between records that are alike otherwise. */
export function toFrame(
  row: Omit<RecordedRow, "id" | "created_at" | "token">,
  facts: RecordFacts,
): Frame {
  const { country, language, url, version, client_at: clientAt } = row;
  const grade = row.grade ?? (row.import_id === null ? "browser" : "imported");
  const displayedAt = row.displayed_at && `"displayedAt":"${row.displayed_at.toISOString()}",`;
  return {
    toId: `{"accept":${String(row.accept)},"answers":${facts.answers},"collection":${text(
      row.collection,
    )},"consentId":"`,
    toTime: `","country":${text(country)},"createdAt":"`,
    toToken: `",${displayedAt ?? ""}"grade":"${grade}","identifier":${text(
      row.identifier,
    )},"language":${text(language)},"preferences":${facts.preferences},"projectId":${text(
      row.project_id,
    )},"publication":${text(facts.publication)},"signals":${toSignals(row, facts)},"timestamp":${text(
      clientAt && clientAt.toISOString(),
    )},"token":`,
    end: `,"type":"consent","url":${text(url)},"userAgent":${text(
      row.user_agent,
    )},"v":1,"value":${facts.value},"version":${String(version)}}`,
  };
}

function toSignals(
  { gpc }: Pick<RecordedRow, "gpc">,
  { googleConsentMode, tcString }: RecordFacts,
): string {
  if (gpc === null) return "null";
  return `{"googleConsentMode":${googleConsentMode},"gpc":${String(gpc)},"tcString":${tcString}}`;
}

function text(value: string | null): string {
  return JSON.stringify(value);
}

/** JSON as its canonical form (RFC 8785). */
export function toCanonical(value: unknown): string {
  return canonicalize(value) ?? "null";
}

/** A salt of its own for each of `count` entries, one after the other. */
export function newSalts(count: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(count * SALT_BYTES));
}

/** The salt number `at` of some that stand one after the other. */
export function saltOf(salts: Buffer, at: number): Buffer {
  return salts.subarray(at * SALT_BYTES, (at + 1) * SALT_BYTES);
}

/** How long a text of so many bytes is once it is padded. */
export function toPadded(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BUCKET_BYTES)) * BUCKET_BYTES;
}

/** The entry that stands for canonical JSON in the log: SHA-256 of the salt and the padded text. */
export function toEntry(canonical: string, salt: Uint8Array): Buffer {
  const length = Buffer.byteLength(canonical);
  const size = SALT_BYTES + toPadded(length);
  const bytes = size > scratch.length ? Buffer.allocUnsafe(size) : scratch.subarray(0, size);
  bytes.set(salt, 0);
  bytes.write(canonical, SALT_BYTES);
  bytes.fill(SPACE, SALT_BYTES + length);
  return sha256(bytes);
}
