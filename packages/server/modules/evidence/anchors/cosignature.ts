// C2SP tlog-cosignature, for Ed25519: https://c2sp.org/tlog-cosignature
import { type KeyObject, createPublicKey, hash, verify } from "node:crypto";

const COSIGNATURE = 0x04;
const KEY_ID_BYTES = 4;
const TIME_BYTES = 8;
const PUBLIC_KEY_BYTES = 32;
const keyPattern = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/u;
const linePattern = /^— ([^\s]+) ([A-Za-z0-9+/]+={0,2})$/u;

/** The key of a witness. */
export interface WitnessKey {
  name: string;
  id: Buffer;
  publicKey: KeyObject;
  /** The text of the key (C2SP signed-note, verifier keys). */
  verifier: string;
}

/**
 * Parses the verifier key of a witness that cosigns with Ed25519.
 * @throws Error whose message is a sentence
 */
export function parseWitnessKey(text: string): WitnessKey {
  const [, name = "", id = "", encoded = ""] = keyPattern.exec(text) ?? [];
  const typed = Buffer.from(encoded, "base64");
  if (typed[0] !== COSIGNATURE || typed.length !== 1 + PUBLIC_KEY_BYTES)
    throw new Error(`${text.slice(0, 100)} is not the key of a witness that cosigns with Ed25519.`);
  const named = Buffer.concat([Buffer.from(`${name}\n`), typed]);
  const own = hash("sha256", named, "buffer").subarray(0, KEY_ID_BYTES);
  if (own.toString("hex") !== id)
    throw new Error(`The id in the key of ${name} does not match the key. Copy it again.`);
  const x = typed.subarray(1).toString("base64url");
  const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return { name, id: own, publicKey, verifier: text };
}

/**
 * Finds the line, with its line feed, that is the witness's cosignature over a checkpoint's text. Ignores
 * lines by other keys. Undefined if there is none.
 * @throws Error if the signature of a line by this key is invalid
 */
export function findCosignature(
  answer: string,
  text: string,
  { name, id, publicKey }: WitnessKey,
): string | undefined {
  for (const line of answer.split("\n")) {
    const [, signer, encoded = ""] = linePattern.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    if (signer !== name || !bytes.subarray(0, KEY_ID_BYTES).equals(id)) continue;
    const signature = bytes.subarray(KEY_ID_BYTES);
    if (signature.length > TIME_BYTES) {
      const time = signature.readBigUInt64BE(0);
      const message = Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
      if (verify(null, message, publicKey, signature.subarray(TIME_BYTES))) return `${line}\n`;
    }
    throw new Error("invalid cosignature");
  }
  return undefined;
}

/** The text of a signed note, without its signatures (C2SP signed-note). */
export function toNoteText(note: string): string {
  return note.slice(0, note.lastIndexOf("\n\n") + 1);
}
