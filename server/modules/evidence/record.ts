import { hash, randomFillSync } from "node:crypto";
import canonicalize from "canonicalize";
import type { RecordedRow } from "../consents/recorded.ts";
import type { AnswersJson } from "../consents/states-json.ts";

/** Records are padded to a multiple of so many bytes, so that their length tells nothing. */
const BUCKET_BYTES = 256;
export const SALT_BYTES = 32;
const SPACE = 0x20;

/** A document that the log commits to. */
export type Committed = Readonly<Record<string, unknown>>;

/**
 * A consent as it is committed to. Every field is always there, and made of what never changes: the
 * same row gives the same bytes for ever. What is to be told in another way needs another `v`.
 */
export function toConsentRecord(
  row: RecordedRow,
  { answers, publication }: { answers: AnswersJson; publication: string | null },
): Committed {
  return {
    accept: row.accept,
    answers,
    collection: row.collection,
    consentId: row.id,
    country: row.country,
    createdAt: row.created_at.toISOString(),
    grade: row.import_id === null ? "browser" : "imported",
    identifier: row.identifier,
    language: row.language,
    preferences: row.preferences,
    projectId: row.project_id,
    publication,
    signals: null,
    timestamp: row.client_at && row.client_at.toISOString(),
    token: row.token,
    type: "consent",
    url: row.url,
    userAgent: row.user_agent,
    v: 1,
    value: row.value,
    version: row.version,
  };
}

/** A salt of its own for each of `count` entries, one after the other. */
export function newSalts(count: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(count * SALT_BYTES));
}

/** The entry that stands for a document in the log: SHA-256 of its salt and its padded canonical form (RFC 8785). */
export function toEntry(document: Committed, salt: Uint8Array): Buffer {
  const text = canonicalize(document) ?? "";
  const length = Buffer.byteLength(text);
  const padded = Math.max(1, Math.ceil(length / BUCKET_BYTES)) * BUCKET_BYTES;
  const bytes = Buffer.alloc(SALT_BYTES + padded, SPACE);
  bytes.set(salt, 0);
  bytes.write(text, SALT_BYTES);
  return hash("sha256", bytes, "buffer");
}
