import { createHmac, hkdfSync } from "node:crypto";
import { openSealer } from "../../../platform/crypto/sealing.ts";
import type { Sealing } from "../ports.ts";

/** Opens sealing under keys derived from SECRET_KEY. */
export function openSealing(secret: Buffer): Sealing {
  const sealer = openSealer(secret, "webhook secrets");
  const orderKey = Buffer.from(hkdfSync("sha256", secret, "", "avow webhook order", 32));
  return {
    seal: (value) => Buffer.from(sealer.seal(value), "base64url"),
    unseal<T>(sealed: Buffer) {
      const opened = sealer.open(sealed.toString("base64url"));
      if (opened === undefined)
        throw new Error("A webhook's data was sealed with another SECRET_KEY.");
      return opened as T;
    },
    toKey: (text) => createHmac("sha256", orderKey).update(text).digest().readInt32BE(0) >>> 1,
  };
}
