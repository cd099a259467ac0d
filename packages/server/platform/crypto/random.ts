import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8_192;

/** Returns `size` random bytes, at most 8,192, as text in this encoding. */
export type RandomText = (size: number, encoding: "base64url" | "hex") => string;

/**
 * Opens a source of cryptographically secure random bytes that reads many at a time from the system's generator,
 * since reading 16 costs nearly as much as reading thousands. No byte is returned twice, and only text is
 * returned, so that no caller has a view of later bytes.
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
