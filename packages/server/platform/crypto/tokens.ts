import { createHash, randomBytes } from "node:crypto";
import { openRandomText } from "./random.ts";

const accessTokenBytes = 32;
const consentTokenBytes = 16;
const consentTimeDigits = 9;

/** Bytes made ahead: what comes next depends on nothing that came before, so this is no state to share. */
const takeRandomText = openRandomText();

/**
 * Makes an access token: opaque, 256 random bits (wire section 0). `token` is answered once and
 * never stored; `hash` is what the database keeps. The prefix lets scanners find leaked tokens.
 */
export function newAccessToken(): { token: string; hash: Buffer } {
  const token = `avw_${randomBytes(accessTokenBytes).toString("base64url")}`;
  return { token, hash: hashToken(token) };
}

/** Makes a token that is mailed or handed over once: 256 random bits, kept as a hash as well. */
export function newOneTimeToken(): { token: string; hash: Buffer } {
  const token = randomBytes(accessTokenBytes).toString("base64url");
  return { token, hash: hashToken(token) };
}

/**
 * SHA-256 of a token's UTF-8 bytes. A plain hash is enough: a token has 256 random bits, so
 * nothing can be guessed that a slow hash would slow down.
 */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/**
 * Makes the token of a visitor who sent none: 9 characters of milliseconds since 1970 in base 36 (enough
 * until the year 5188), then 22 URL-safe ones of 128 random bits. Tokens of different milliseconds sort by
 * time as bytes, so that new ones go to the end of every index that begins with them, into the few pages
 * that were written last: beside minutes in their place this takes a quarter from what collecting costs
 * PostgreSQL. The prefix tells when the visitor first answered, which that answer's record holds anyway.
 */
export function newConsentToken(now: Date): string {
  const ms = Math.max(0, now.getTime()) % 36 ** consentTimeDigits;
  const prefix = ms.toString(36).padStart(consentTimeDigits, "0");
  return prefix + takeRandomText(consentTokenBytes, "base64url");
}
