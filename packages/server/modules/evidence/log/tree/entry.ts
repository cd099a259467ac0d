import { hash, randomFillSync } from "node:crypto";
import canonicalize from "canonicalize";

/** Records are padded to a multiple of this size, so that their length reveals nothing. */
const BUCKET_BYTES = 256;
export const SALT_BYTES = 32;
const SPACE = 0x20;
/** Reused for every entry that fits. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** The canonical form of a JSON value (RFC 8785). */
export function toCanonical(value: unknown): string {
  return canonicalize(value) ?? "null";
}

/** `count` random salts, concatenated. */
export function newSalts(count: number): Buffer {
  return randomFillSync(Buffer.allocUnsafe(count * SALT_BYTES));
}

/** The salt at index `at` of concatenated salts. */
export function saltOf(salts: Buffer, at: number): Buffer {
  return salts.subarray(at * SALT_BYTES, (at + 1) * SALT_BYTES);
}

/** The padded length of a text of `bytes` bytes. */
export function toPadded(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / BUCKET_BYTES)) * BUCKET_BYTES;
}

/** The log entry of canonical JSON: SHA-256 of the salt and the padded text. */
export function toEntry(canonical: string, salt: Uint8Array): Buffer {
  const length = Buffer.byteLength(canonical);
  const size = SALT_BYTES + toPadded(length);
  const bytes = size > scratch.length ? Buffer.allocUnsafe(size) : scratch.subarray(0, size);
  bytes.set(salt, 0);
  bytes.write(canonical, SALT_BYTES);
  bytes.fill(SPACE, SALT_BYTES + length);
  // Hashing to a string and decoding it is three times as fast as hashing to a buffer.
  return Buffer.from(hash("sha256", bytes, "latin1"), "latin1");
}
