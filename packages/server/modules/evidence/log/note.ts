import { type KeyObject, createPrivateKey, createPublicKey, hash, sign } from "node:crypto";

/** An Ed25519 key that notes are signed with (C2SP signed-note). */
export interface NoteKey {
  name: string;
  privateKey: KeyObject;
  /** The four bytes that identify the key in signatures. */
  id: Buffer;
  /** The verifier key (C2SP signed-note), one line of text. */
  verifier: string;
}

const ED25519 = Buffer.from([0x01]);
const SEED_BYTES = 32;
/** Prefix of an Ed25519 private key in PKCS #8 (RFC 8410, section 7); the seed follows. */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");
const namePattern = /^[^\s+]+$/u;

/**
 * The key of a name and a seed of 32 bytes.
 * @throws Error for a name that is empty or contains white space or a plus sign, or a seed of another length
 */
export function toNoteKey(name: string, seed: Uint8Array): NoteKey {
  if (!namePattern.test(name)) throw new Error(`${JSON.stringify(name)} cannot name a key.`);
  if (seed.length !== SEED_BYTES) throw new Error(`A seed has ${SEED_BYTES} bytes.`);
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: "der",
    type: "pkcs8",
  });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const publicKey = Buffer.concat([ED25519, Buffer.from(x, "base64url")]);
  const named = Buffer.concat([Buffer.from(`${name}\n`), publicKey]);
  const id = hash("sha256", named, "buffer").subarray(0, 4);
  const verifier = `${name}+${id.toString("hex")}+${publicKey.toString("base64")}`;
  return { name, privateKey, id, verifier };
}

/** Signs a text that ends with a newline, with each of the keys (C2SP signed-note). */
export function signNote(text: string, keys: readonly NoteKey[]): string {
  const lines = keys.map((key) => {
    const signature = sign(null, Buffer.from(text), key.privateKey);
    return `— ${key.name} ${Buffer.concat([key.id, signature]).toString("base64")}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/** The signed text of a tree (C2SP tlog-checkpoint). */
export function toCheckpoint(tree: { origin: string; size: number; root: Uint8Array }): string {
  return `${tree.origin}\n${tree.size}\n${Buffer.from(tree.root).toString("base64")}\n`;
}
