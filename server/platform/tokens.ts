import { createHash, randomBytes } from "node:crypto";

const accessTokenBytes = 32;
const consentTokenBytes = 16;

/**
 * Makes an access token: opaque, 256 random bits (wire section 0). `token` is answered once and
 * never stored; `hash` is what the database keeps. The prefix lets scanners find leaked tokens.
 */
export function newAccessToken(): { token: string; hash: Buffer } {
  const token = `avw_${randomBytes(accessTokenBytes).toString("base64url")}`;
  return { token, hash: hashToken(token) };
}

/**
 * SHA-256 of a token's UTF-8 bytes. A plain hash is enough: a token has 256 random bits, so
 * nothing can be guessed that a slow hash would slow down.
 */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** Makes the token of a visitor who sent none: 22 URL-safe characters, 128 random bits. */
export function newConsentToken(): string {
  return randomBytes(consentTokenBytes).toString("base64url");
}
