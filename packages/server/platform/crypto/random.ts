import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8_192;

/** The next `size` random bytes, at most 8,192, as text in this encoding. */
export type RandomText = (size: number, encoding: "base64url" | "hex") => string;

/**
 * Opens a source of cryptographically secure random bytes that asks the system's generator for many
 * at a time: asking for 16 costs nearly as much as asking for thousands. No byte is given out twice,
 * and only text leaves, so that nobody holds a view of bytes that are still to come.
 */
export function openRandomText(): RandomText {
  const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  let used = POOL_BYTES;
  return function takeRandomText(size, encoding) {
    if (size > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} bytes at a time`);
    if (used + size > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    const start = used;
    used += size;
    return pool.toString(encoding, start, used);
  };
}
