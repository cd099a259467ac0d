import { createCipheriv, createDecipheriv, hkdfSync } from "node:crypto";

const BLOCK_BYTES = 16;
const NUMBER_OFFSET = 8;
const encryptedPattern = /^[0-9a-f]{32}$/;

/** Encrypts numbers to texts that reveal neither their size nor their order. The text of a number is always the same. */
export interface NumberCipher {
  encrypt(value: number): string;
  /** The number of a text; undefined for any text that `encrypt` did not return. */
  decrypt(text: string): number | undefined;
}

/**
 * Opens a cipher under a key for `purpose` derived from the service's secret (RFC 5869). A number is one block of
 * AES-256: eight zero bytes, which authenticate the text, then the number.
 */
export function openNumberCipher(secret: Buffer, purpose: string): NumberCipher {
  const key = Buffer.from(hkdfSync("sha256", secret, "", `avow ${purpose}`, 32));
  return {
    encrypt(value) {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeBigUInt64BE(BigInt(value), NUMBER_OFFSET);
      const cipher = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString("hex");
    },
    decrypt(text) {
      if (!encryptedPattern.test(text)) return undefined;
      const decipher = createDecipheriv("aes-256-ecb", key, null).setAutoPadding(false);
      const block = Buffer.concat([decipher.update(text, "hex"), decipher.final()]);
      return block.readBigUInt64BE(0) === 0n
        ? Number(block.readBigUInt64BE(NUMBER_OFFSET))
        : undefined;
    },
  };
}
