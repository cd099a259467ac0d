import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts what has to lie somewhere for a while: a queue, a browser's cookie. */
export interface Sealer {
  /** Base64url text that only the same secret opens, for the same purpose. */
  seal(value: unknown): string;
  /** What was sealed; undefined for anything else. */
  open(sealed: string): unknown;
}

/** Opens sealing by AES-256-GCM, under a key of its own for `purpose` (RFC 5869) from the service's secret. */
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
        // What was not sealed by this secret does not authenticate, which is the answer.
        return undefined;
      }
    },
  };
}
