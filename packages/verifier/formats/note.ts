// C2SP signed-note: https://c2sp.org/signed-note
import { type Bytes, areEqual, fromBase64, toUtf8 } from "./bytes.ts";
import { readCosignature } from "./cosignature.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { FormatError } from "./errors.ts";
import { SIGNATURE_TYPES, type VerifierKey, isKeyName } from "./verifier-key.ts";

/** The specification asks for 16 at least. */
const SIGNATURES_MAX = 64;
const KEY_ID_BYTES = 4;

export interface NoteSignature {
  name: string;
  keyId: Bytes;
  signature: Bytes;
}

export interface Note {
  /** What is signed; it ends with a newline. */
  text: string;
  signatures: NoteSignature[];
}

/** What became of a note's signatures. */
export interface Signed {
  /** Keys whose signature holds; `time` is a cosignature's, in seconds since 1970. */
  signers: { key: VerifierKey; time?: number }[];
  /** Signatures by known keys that do not hold: the note is to be rejected as a whole. */
  failed: NoteSignature[];
  /** How many signatures are by unknown keys, which say nothing either way. */
  unknownCount: number;
}

/** @throws FormatError for what is no signed note */
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

/** Checks each signature whose key's name and ID are those of a known key; leaves out the others. */
export async function verifyNote(note: Note, keys: readonly VerifierKey[]): Promise<Signed> {
  const signed: Signed = { signers: [], failed: [], unknownCount: 0 };
  for (const signature of note.signatures) {
    const claimed = keys.filter(
      ({ name, keyId }) => name === signature.name && areEqual(keyId, signature.keyId),
    );
    if (claimed.length === 0) signed.unknownCount += 1;
    for (const key of claimed) {
      const held = await readSignature(key, note.text, signature.signature);
      if (held) signed.signers.push({ key, ...held });
      else signed.failed.push(signature);
    }
  }
  return signed;
}

/** What a signature that holds says beside its being there; undefined when it does not hold. */
async function readSignature(
  { type, publicKey }: VerifierKey,
  text: string,
  signature: Bytes,
): Promise<{ time?: number } | undefined> {
  if (type === SIGNATURE_TYPES.cosignature) return readCosignature(publicKey, text, signature);
  return (await verifyEd25519(publicKey, toUtf8(text), signature)) ? {} : undefined;
}
