import canonicalize from "canonicalize";
import { type Bytes, HASH_BYTES, concat, sha256, toUtf8 } from "./bytes.ts";
import type { JsonObject } from "./json.ts";

/** The salt is as long as the hash, so that the hash does not reveal the record. */
export const SALT_BYTES = HASH_BYTES;

/** Records are padded to a multiple of these bytes, so that their length reveals almost nothing. */
const BUCKET_BYTES = 256;
const SPACE = 0x20;

/**
 * The log entry of a record: `SHA-256(salt || padded)`, where `padded` is the record's canonical form (RFC 8785) in
 * UTF-8, padded with spaces to a multiple of 256 bytes.
 */
export function toEntry(record: JsonObject, salt: Uint8Array): Promise<Bytes> {
  return sha256(salt, padText(toCanonical(record)));
}

/** The canonical form of RFC 8785. */
export function toCanonical(record: JsonObject): string {
  return canonicalize(record) ?? "";
}

/** Pads a text to a multiple of the bucket size. The empty text becomes one bucket. */
export function padText(text: string): Bytes {
  const bytes = toUtf8(text);
  const length = Math.max(1, Math.ceil(bytes.length / BUCKET_BYTES)) * BUCKET_BYTES;
  return concat(bytes, new Uint8Array(length - bytes.length).fill(SPACE));
}
