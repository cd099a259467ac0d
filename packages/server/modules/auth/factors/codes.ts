import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { hashToken } from "../../../platform/crypto/tokens.ts";

/** The defaults of RFC 6238, which every authenticator app supports. */
const settings = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** RFC 4226, 4 (R6): 160 bits. */
const SECRET_BYTES = 20;
/** Also accept the previous time step, since typing takes time: at most one (RFC 6238, 5.2). */
const STEPS_BEFORE = 1;
const RECOVERY_CODES = 10;
/** 120 bits, so that a fast hash is enough, as for tokens. */
const RECOVERY_BYTES = 15;
/** Crockford's base32, without ambiguous letters. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new secret in base32, as entered in an authenticator app. */
export function newFactorSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** The address in a QR code for authenticator apps: `otpauth://totp/…` with the secret in it. */
export function toFactorUri(secret: string, names: { issuer: string; label: string }): string {
  return new TOTP({ ...settings, ...names, secret }).toString();
}

/** The time step of `code`, the current or the previous one; undefined for a wrong code. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const totp = new TOTP({ ...settings, secret });
  const delta = totp.validate({ token: toPlain(code), timestamp, window: STEPS_BEFORE });
  // The library's window also includes future steps.
  return delta === null || delta > 0 ? undefined : totp.counter({ timestamp }) + delta;
}

/** Whether `code` has the format of an authenticator app's code, unlike a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(toPlain(code));
}

/** Ten codes that each work once, `xxxx-xxxx-xxxx-xxxx-xxxx-xxxx`, and their hashes to store. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  return { codes, hashes: codes.map(toRecoveryHash) };
}

function newRecoveryCode(): string {
  let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString("hex")}`);
  let text = "";
  for (let at = 0; at < (RECOVERY_BYTES * 8) / 5; at += 1) {
    text += alphabet.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return text.replaceAll(/.{4}(?=.)/g, "$&-");
}

/** The stored hash of a recovery code, normalized as Crockford defines, with or without hyphens. */
export function toRecoveryHash(code: string): Buffer {
  const read = toPlain(code).toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return hashToken(read);
}

/** Removes the spaces and hyphens of apps and users. */
function toPlain(code: string): string {
  return code.replaceAll(/[\s-]/g, "");
}
