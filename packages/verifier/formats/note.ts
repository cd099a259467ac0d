// C2SP signed-note: https://c2sp.org/signed-note
import { type Bytes, areEqual, fromBase64, toUtf8 } from "./bytes.ts";
import { verifyCosignature } from "./cosignature.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { FormatError } from "./errors.ts";
import { SIGNATURE_TYPES, type VerifierKey, isKeyName } from "./verifier-key.ts";

/** Maximum signatures. The specification requires support for at least 16. */
const SIGNATURES_MAX = 64;
const KEY_ID_BYTES = 4;

export interface NoteSignature {
  name: string;
  keyId: Bytes;
  signature: Bytes;
}

export interface Note {
  /** The signed text; it ends with a newline. */
  text: string;
  signatures: NoteSignature[];
}

/** The result of verifying a note's signatures. */
export interface SignatureReport {
  /** Keys with a valid signature; `time` is a cosignature's, in seconds since 1970. */
  signers: { key: VerifierKey; time?: number }[];
  /** Invalid signatures by known keys. The note must be rejected if there are any. */
  failed: NoteSignature[];
  /** The number of signatures by unknown keys, which cannot be verified. */
  unknownCount: number;
}

/** @throws FormatError for an invalid signed note */
export function parseNote(source: string): Note {
  toUtf8(source);
  // oxlint-disable-next-line no-control-regex -- the specification forbids exactly these
  if (/[\u0000-\u0009\u000b-\u001f]/.test(source)) throw new FormatError((say) => say.noteControl);
  const split = source.lastIndexOf("\n\n");
  if (split < 0 || !source.endsWith("\n")) throw new FormatError((say) => say.noteShape);
  const lines = source.slice(split + 2, -1).split("\n");
  if (lines.length > SIGNATURES_MAX) throw new FormatError((say) => say.noteMany(SIGNATURES_MAX));
  return { text: source.slice(0, split + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
  const [dash, name = "", encoded = "", ...more] = line.split(" ", 4);
  if (dash !== "—" || !isKeyName(name) || encoded === "" || more.length > 0)
    throw new FormatError((say) => say.noteLine(line));
  const bytes = fromBase64(encoded, name);
  if (bytes.length <= KEY_ID_BYTES) throw new FormatError((say) => say.noteLine(line));
  return { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) };
}

/** Verifies each signature whose key name and ID match a known key; counts the others. */
export async function verifyNote(
  note: Note,
  keys: readonly VerifierKey[],
): Promise<SignatureReport> {
  const signed: SignatureReport = { signers: [], failed: [], unknownCount: 0 };
  for (const signature of note.signatures) {
    const claimed = keys.filter(
      ({ name, keyId }) => name === signature.name && areEqual(keyId, signature.keyId),
    );
    if (claimed.length === 0) signed.unknownCount += 1;
    for (const key of claimed) {
      const valid = await verifySignature(key, note.text, signature.signature);
      if (valid) signed.signers.push({ key, ...valid });
      else signed.failed.push(signature);
    }
  }
  return signed;
}

/** Verifies one signature; undefined when it is invalid. */
async function verifySignature(
  { type, publicKey }: VerifierKey,
  text: string,
  signature: Bytes,
): Promise<{ time?: number } | undefined> {
  if (type === SIGNATURE_TYPES.cosignature) return verifyCosignature(publicKey, text, signature);
  return (await verifyEd25519(publicKey, toUtf8(text), signature)) ? {} : undefined;
}
