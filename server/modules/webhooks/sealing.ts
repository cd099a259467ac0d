import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps what a dump of the database alone must not tell: AES-256-GCM under a key of the service's secret. */
export interface Sealing {
  seal: (value: unknown) => Buffer;
  /** Throws where it was sealed under another secret, or changed. */
  unseal: <T>(sealed: Buffer) => T;
  /** A number for a text, the same each time, that says nothing of it without the secret; 31 bits. */
  toKey: (text: string) => number;
}

/** Opens it with the service's secret; see SECRET_KEY. */
export function openSealing(secret: Buffer): Sealing {
  const derive = (use: string) => Buffer.from(hkdfSync("sha256", secret, "", use, 32));
  const key = derive("avow webhook secrets");
  const orderKey = derive("avow webhook order");
  return {
    seal(value) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(value)), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    unseal<T>(sealed: Buffer) {
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES));
      const start = NONCE_BYTES + TAG_BYTES;
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, start));
      const text = Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
      return JSON.parse(text.toString()) as T;
    },
    toKey: (text) => createHmac("sha256", orderKey).update(text).digest().readInt32BE(0) >>> 1,
  };
}
