import { type Bytes, HASH_BYTES, fromBase64Of, fromUtf8 } from "./bytes.ts";
import { SALT_BYTES } from "./entry.ts";
import { FormatError } from "./errors.ts";
import { type Json, type JsonObject, isObject, parseJson } from "./json.ts";
import { type TlogProof, parseTlogProof } from "./tlog-proof.ts";
import { type VerifierKey, parseVerifierKey } from "./verifier-key.ts";

export const BUNDLE_FORMAT = "avow-proof-bundle/v1";
export const RECEIPT_FORMAT = "avow-erasure-receipt/v1";
export const BUNDLE_BYTES_MAX = 16 * 1024 * 1024;
/** A tree of 2^53 leaves has paths of 53 hashes; a consistency proof has one more. */
const PATH_MAX = 64;
const LIST_MAX = 256;

/** A record with the salt of its commitment, and its inclusion proof. */
export interface ProvenRecord {
  record: JsonObject;
  salt: Bytes;
  proof: TlogProof;
}

export interface ConsistencyProof {
  from: number;
  to: number;
  path: Bytes[];
}

/** The members that all bundles have. */
interface Envelope {
  origin: string;
  keys: VerifierKey[];
  consistency: ConsistencyProof[];
}

/** The proof of a consent, with the version that was shown. */
export interface ConsentBundle extends Envelope {
  kind: "consent";
  consent: ProvenRecord;
  publication: (ProvenRecord & { content: string }) | null;
}

/** The proof of an erasure: one or more entries of the log. */
export interface ErasureReceipt extends Envelope {
  kind: "erasure";
  erasure: readonly [ProvenRecord, ...ProvenRecord[]];
}

/** A parsed bundle: well-formed, but not verified. */
export type Bundle = ConsentBundle | ErasureReceipt;

/** Parses a bundle. @throws FormatError for the first violation of the format */
export async function parseBundle(source: Uint8Array | string): Promise<Bundle> {
  const value = parseSource(source);
  if (isObject(value) && value["format"] === RECEIPT_FORMAT) {
    const members = readMembers(value, "", receiptNames);
    const [first, ...others] = readList(members["erasure"], "erasure").map((entry, at) => {
      const path = `erasure[${at}]`;
      return readProven(readMembers(entry, path, provenNames), path);
    });
    if (!first) throw new FormatError((say) => say.missing("erasure[0]"));
    return { kind: "erasure", ...(await readEnvelope(members)), erasure: [first, ...others] };
  }
  const members = readMembers(value, "", bundleNames);
  if (members["format"] !== BUNDLE_FORMAT)
    throw new FormatError((say) => say.bundleFormat(`${BUNDLE_FORMAT}, ${RECEIPT_FORMAT}`));
  const { publication } = members;
  return {
    kind: "consent",
    ...(await readEnvelope(members)),
    consent: readProven(readMembers(members["consent"], "consent", provenNames), "consent"),
    publication: publication === null ? null : readPublication(publication),
  };
}

/** The proof whose checkpoint the bundle is verified against. */
export function headOf(bundle: Bundle): ProvenRecord {
  return bundle.kind === "consent" ? bundle.consent : bundle.erasure[0];
}

async function readEnvelope(members: JsonObject): Promise<Envelope> {
  const keys = readList(members["keys"], "keys").map((key, at) => readText(key, `keys[${at}]`));
  const { consistency = [] } = members;
  return {
    origin: readText(members["origin"], "origin"),
    keys: await Promise.all(keys.map(parseVerifierKey)),
    consistency: readList(consistency, "consistency").map((item, at) => {
      const path = `consistency[${at}]`;
      return readConsistency(readMembers(item, path, consistencyNames), path);
    }),
  };
}

/**
 * Parses a response of `GET /v1/app/proofs/{projectId}/consistency`: `{from, to, proof}` and any other members.
 * @throws FormatError for anything else
 */
export function parseConsistency(source: Uint8Array | string): ConsistencyProof {
  const value = parseSource(source);
  if (!isObject(value)) throw new FormatError((say) => say.type("", "object"));
  return readConsistency(value, "");
}

const bundleNames = ["format", "origin", "keys", "consent", "publication", "consistency?"];
const receiptNames = ["format", "origin", "keys", "erasure", "consistency?"];
const provenNames = ["record", "salt", "proof"];
const consistencyNames = ["from", "to", "proof"];

function parseSource(source: Uint8Array | string): Json {
  if (source.length > BUNDLE_BYTES_MAX)
    throw new FormatError((say) => say.large(BUNDLE_BYTES_MAX / 1024 / 1024));
  return parseJson(typeof source === "string" ? source : fromUtf8(source));
}

function readPublication(value: Json | undefined): NonNullable<ConsentBundle["publication"]> {
  const members = readMembers(value, "publication", [...provenNames, "content"]);
  const content = readText(members["content"], "publication.content");
  return { ...readProven(members, "publication"), content };
}

function readProven(members: JsonObject, path: string): ProvenRecord {
  const { record } = members;
  if (!isObject(record)) throw new FormatError((say) => say.type(`${path}.record`, "object"));
  const proof = parseTlogProof(readText(members["proof"], `${path}.proof`));
  // Extra data is not proven. It would look proven, but anyone could change it.
  if (proof.extra) throw new FormatError((say) => say.proofExtra(`${path}.proof`));
  if (proof.path.length > PATH_MAX) throw new FormatError((say) => say.long(path, PATH_MAX));
  const salt = readText(members["salt"], `${path}.salt`);
  return { record, salt: fromBase64Of(SALT_BYTES, salt, `${path}.salt`), proof };
}

function readConsistency({ from, to, proof }: JsonObject, path: string): ConsistencyProof {
  const prefix = path === "" ? "" : `${path}.`;
  const hashes = readList(proof, `${prefix}proof`, PATH_MAX);
  return {
    from: readNumber(from, `${prefix}from`),
    to: readNumber(to, `${prefix}to`),
    path: hashes.map((hash, at) => {
      const name = `${prefix}proof[${at}]`;
      return fromBase64Of(HASH_BYTES, readText(hash, name), name);
    }),
  };
}

/** An object with exactly these members; a name that ends in ? is optional. */
function readMembers(value: Json | undefined, path: string, names: readonly string[]): JsonObject {
  if (!isObject(value)) throw new FormatError((say) => say.type(path, "object"));
  const prefix = path === "" ? "" : `${path}.`;
  for (const name of names) {
    if (!name.endsWith("?") && !Object.hasOwn(value, name))
      throw new FormatError((say) => say.missing(prefix + name));
  }
  const known = new Set(names.map((name) => name.replace("?", "")));
  for (const name of Object.keys(value)) {
    if (!known.has(name)) throw new FormatError((say) => say.unknown(prefix + name));
  }
  return value;
}

/** @throws FormatError unless it is a string */
export function readText(value: Json | undefined, path: string): string {
  if (typeof value === "string") return value;
  throw new FormatError((say) => say.type(path, "text"));
}

/** A whole number from 0. @throws FormatError for anything else */
export function readNumber(value: Json | undefined, path: string): number {
  if (typeof value !== "number") throw new FormatError((say) => say.type(path, "number"));
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new FormatError((say) => say.size(path));
}

/** @throws FormatError unless it is an array of at most `max` items */
export function readList(value: Json | undefined, path: string, max = LIST_MAX): readonly Json[] {
  if (!Array.isArray(value)) throw new FormatError((say) => say.type(path, "list"));
  if (value.length > max) throw new FormatError((say) => say.long(path, max));
  return value as readonly Json[];
}
