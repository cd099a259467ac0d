import { createHash, randomBytes } from "node:crypto";
import { openRandomText } from "./random.ts";

const accessTokenBytes = 32;
const consentTokenBytes = 16;
const consentTimeDigits = 9;

/** Random bytes in advance. They are independent, so this is not shared state. */
const takeRandomText = openRandomText();

/**
 * Creates an access token: opaque, 256 random bits (wire section 0). `token` is returned once and never stored; the
 * database stores `hash`. The prefix lets scanners find leaked tokens.
 */
export function newAccessToken(): { token: string; hash: Buffer } {
  const token = `avw_${randomBytes(accessTokenBytes).toString("base64url")}`;
  return { token, hash: hashToken(token) };
}

/** Creates a one-time token, such as for a mailed link: 256 random bits, also stored as a hash. */
export function newOneTimeToken(): { token: string; hash: Buffer } {
  const token = randomBytes(accessTokenBytes).toString("base64url");
  return { token, hash: hashToken(token) };
}

/**
 * SHA-256 of a token's UTF-8 bytes. A fast hash is enough, since 256 random bits cannot be guessed.
 */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/**
 * Creates the token of a visitor without one: 9 characters of milliseconds since 1970 in base 36 (enough until the
 * year 5188), then 22 URL-safe ones of 128 random bits. Tokens sort by time as bytes, so that new ones go to
 * the most recent pages at the end of every index that begins with them. Compared to minutes, this saves a
 * quarter of PostgreSQL's cost of collection. The prefix reveals the time of the visitor's first answer, which
 * that answer's record contains anyway.
 */
export function newConsentToken(now: Date): string {
  const ms = Math.max(0, now.getTime()) % 36 ** consentTimeDigits;
  const prefix = ms.toString(36).padStart(consentTimeDigits, "0");
  return prefix + takeRandomText(consentTokenBytes, "base64url");
}
