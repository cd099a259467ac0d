import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { hashToken } from "../../../platform/crypto/tokens.ts";

/** The defaults of RFC 6238, which every authenticator app supports. */
const settings = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** RFC 4226, 4 (R6): 160 bits. */
const SECRET_BYTES = 20;
/** The step before the present one, as typing and sending take a while: at most one (RFC 6238, 5.2). */
const STEPS_BEFORE = 1;
const RECOVERY_CODES = 10;
/** 120 bits, so that a plain hash is enough, as of any token. */
const RECOVERY_BYTES = 15;
/** Crockford's: no letter is taken for another, or for a digit. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new secret in base32, as it is typed into an authenticator app. */
export function newFactorSecret(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32;
}

/** The address in a QR code for authenticator apps: `otpauth://totp/…` with the secret in it. */
export function toFactorUri(secret: string, names: { issuer: string; label: string }): string {
  return new TOTP({ ...settings, ...names, secret }).toString();
}

/** The time step of `code`, at `now` or just before; undefined when it is no code of the secret. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const totp = new TOTP({ ...settings, secret });
  const delta = totp.validate({ token: toPlain(code), timestamp, window: STEPS_BEFORE });
  // The library looks as far ahead as back.
  return delta === null || delta > 0 ? undefined : totp.counter({ timestamp }) + delta;
}

/** Whether `code` has the shape of an authenticator app's code, which no recovery code has. */
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

/** The hash that a recovery code is kept as; it is read as Crockford has it, with or without its hyphens. */
export function toRecoveryHash(code: string): Buffer {
  const read = toPlain(code).toLowerCase().replaceAll("o", "0").replaceAll(/[il]/g, "1");
  return hashToken(read);
}

/** Without the spaces and hyphens that apps and people set between. */
function toPlain(code: string): string {
  return code.replaceAll(/[\s-]/g, "");
}
