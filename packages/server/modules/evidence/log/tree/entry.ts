import { hash, randomFillSync } from "node:crypto";
import canonicalize from "canonicalize";

/** Records are padded to a multiple of this size, so that their length reveals nothing. */
const BUCKET_BYTES = 256;
export const SALT_BYTES = 32;
const SPACE = 0x20;
/** Buffer for the entry being hashed. */
const scratch = Buffer.allocUnsafe(64 * 1024);

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
  // A string and then a buffer: three times as fast as a buffer of `hash`.
  return Buffer.from(hash("sha256", bytes, "latin1"), "latin1");
}
