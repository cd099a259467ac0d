// Verifier keys of C2SP signed-note: https://c2sp.org/signed-note#verifier-keys
import {
  type Bytes,
  areEqual,
  concat,
  fromBase64,
  sha256,
  toBase64,
  toHex,
  toUtf8,
} from "./bytes.ts";
import { PUBLIC_KEY_BYTES } from "./ed25519.ts";
import { FormatError } from "./errors.ts";

/** The supported signature types: a log's Ed25519, and a witness's timestamped Ed25519. */
export const SIGNATURE_TYPES = { ed25519: 0x01, cosignature: 0x04 } as const;

export interface VerifierKey {
  name: string;
  /** Four bytes that identify the key in signatures. */
  keyId: Bytes;
  type: number;
  publicKey: Bytes;
  /** The text form: `<name>+<hex of the ID>+<base64 of type and public key>`. */
  text: string;
}

/** Whether a key name is valid: not empty, no Unicode space, no plus. */
export function isKeyName(name: string): boolean {
  return name !== "" && !/[\p{White_Space}+]/u.test(name);
}

/** `SHA-256(name || 0x0A || type || public key)[:4]` */
export async function toKeyId(name: string, type: number, publicKey: Uint8Array): Promise<Bytes> {
  const hash = await sha256(toUtf8(`${name}\n`), Uint8Array.of(type), publicKey);
  return hash.slice(0, 4);
}

/** The text form of a key. */
export async function formatVerifierKey(
  name: string,
  type: number,
  publicKey: Uint8Array,
): Promise<string> {
  const id = toHex(await toKeyId(name, type, publicKey));
  return `${name}+${id}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;
}

/** @throws FormatError for an invalid key, or an ID that does not match */
export async function parseVerifierKey(text: string): Promise<VerifierKey> {
  const [, name = "", id, encoded = ""] =
    /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  if (!isKeyName(name)) throw new FormatError((say) => say.keyShape(text));
  const [type = 0, ...bytes] = fromBase64(encoded, name);
  const publicKey = Uint8Array.from(bytes);
  const isKnown = type === SIGNATURE_TYPES.ed25519 || type === SIGNATURE_TYPES.cosignature;
  if (!isKnown || publicKey.length !== PUBLIC_KEY_BYTES)
    throw new FormatError((say) => say.keyType(name));
  const keyId = await toKeyId(name, type, publicKey);
  if (toHex(keyId) !== id) throw new FormatError((say) => say.keyId(name));
  return { name, keyId, type, publicKey, text };
}

/**
 * Parses a file of keys: one per line; empty lines and lines that begin with # are ignored.
 * @throws FormatError for any other line
 */
export function parseVerifierKeys(text: string): Promise<VerifierKey[]> {
  const lines = text.split("\n").map((line) => line.trim());
  return Promise.all(
    lines.filter((line) => line !== "" && !line.startsWith("#")).map(parseVerifierKey),
  );
}

export function isSameKey(a: VerifierKey, b: VerifierKey): boolean {
  return a.name === b.name && a.type === b.type && areEqual(a.publicKey, b.publicKey);
}
