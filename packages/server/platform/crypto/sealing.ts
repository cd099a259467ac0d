import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts values that are stored temporarily, such as in a queue or a cookie. */
export interface Sealer {
  /** Returns base64url text that only the same secret and purpose can open. */
  seal(value: unknown): string;
  /** Returns the sealed value, or undefined for anything else. */
  open(sealed: string): unknown;
}

/** Opens a sealer with AES-256-GCM, under a key for `purpose` derived from the service's secret (RFC 5869). */
export function openSealer(secret: Buffer, purpose: string): Sealer {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `avow ${purpose}`, 32));
  return {
    seal(value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
        return JSON.parse(Buffer.concat(opened).toString("utf8")) as unknown;
      } catch {
        // Not sealed with this key: authentication failed.
        return undefined;
      }
    },
  };
}
