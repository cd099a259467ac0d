import { createHmac, hkdfSync } from "node:crypto";
import { openSealer } from "../../platform/crypto/sealing.ts";

/** Keeps what a dump of the database alone must not tell. */
export interface Sealing {
  seal: (value: unknown) => Buffer;
  /** Throws where it was sealed under another secret, or changed. */
  unseal: <T>(sealed: Buffer) => T;
  /** A number for a text, the same each time, that says nothing of it without the secret; 31 bits. */
  toKey: (text: string) => number;
}

/** Opens it with the service's secret; see SECRET_KEY. */
export function openSealing(secret: Buffer): Sealing {
  const sealer = openSealer(secret, "webhook secrets");
  const orderKey = Buffer.from(hkdfSync("sha256", secret, "", "avow webhook order", 32));
  return {
    seal: (value) => Buffer.from(sealer.seal(value), "base64url"),
    unseal<T>(sealed: Buffer) {
      const opened = sealer.open(sealed.toString("base64url"));
      if (opened === undefined)
        throw new Error("What a webhook keeps was sealed with another SECRET_KEY.");
      return opened as T;
    },
    toKey: (text) => createHmac("sha256", orderKey).update(text).digest().readInt32BE(0) >>> 1,
  };
}
