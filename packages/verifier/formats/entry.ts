import canonicalize from "canonicalize";
import { type Bytes, HASH_BYTES, concat, sha256, toUtf8 } from "./bytes.ts";
import type { JsonObject } from "./json.ts";

/** A salt is as long as the hash, so that it hides what the hash is of. */
export const SALT_BYTES = HASH_BYTES;

/** Records are padded to a multiple of these bytes, so that their length tells next to nothing. */
const BUCKET_BYTES = 256;
const SPACE = 0x20;

/**
 * What the log holds of a record: `SHA-256(salt || padded)`, where `padded` is the record's canonical
 * form (RFC 8785) in UTF-8, with spaces up to the next multiple of 256 bytes.
 */
export function toEntry(record: JsonObject, salt: Uint8Array): Promise<Bytes> {
  return sha256(salt, padText(toCanonical(record)));
}

/** The record as RFC 8785 writes it. */
export function toCanonical(record: JsonObject): string {
  return canonicalize(record) ?? "";
}

/** A text that is a multiple already gets no more; the empty one gets a whole bucket. */
export function padText(text: string): Bytes {
  const bytes = toUtf8(text);
  const length = Math.max(1, Math.ceil(bytes.length / BUCKET_BYTES)) * BUCKET_BYTES;
  return concat(bytes, new Uint8Array(length - bytes.length).fill(SPACE));
}
