import { areEqual } from "@avow/verifier/bytes";
import { checkCheckpoint, checkKept } from "@avow/verifier/checkpoint-checks";
import { type Checkpoint, parseCheckpoint } from "@avow/verifier/checkpoint";
import type { Check } from "@avow/verifier/checks";
import { toTilePath } from "@avow/verifier/tiles";
import { SIGNATURE_TYPES, type VerifierKey } from "@avow/verifier/keys";
import { type Language, languages } from "@avow/verifier";
import { type Announcement, readAnnounced } from "./announced.ts";
import type { ReadableLog } from "./readable-log.ts";
import { recomputeTree } from "./tree.ts";
import { logWords } from "./words.ts";

/** Trusted input of an audit, from a source other than the log. */
export interface LogTrust {
  keys: readonly VerifierKey[];
  /** An older checkpoint that the auditor saved. */
  kept: Checkpoint | undefined;
  language: Language;
}

/** The checks, and the checkpoint that they are about. */
export interface LogReport {
  checks: Check[];
  checkpoint: Checkpoint;
}

export interface TitledReport extends LogReport {
  title: string;
}

/**
 * Reads a whole log without trusting it: recomputes the tree from the entries, and compares it with the signed
 * checkpoint and the saved one.
 * @throws FormatError for an invalid checkpoint; CommandError for missing tiles
 */
export async function auditLog(
  log: ReadableLog,
  { keys, kept, language }: LogTrust,
  onProgress: (leaves: number, size: number) => void,
): Promise<LogReport> {
  const isWitnessed = keys.some(({ type }) => type === SIGNATURE_TYPES.cosignature);
  const checkpoint = parseCheckpoint(await log.readCheckpoint(isWitnessed));
  const { size } = checkpoint;
  const says = logWords[language];
  const named = await readAnnounced(log);
  const announced = named.announced.filter(({ index }) => index < size);
  const made = await recomputeTree(log, {
    size,
    rootsAt: [size, ...(kept ? [kept.size] : [])],
    entriesAt: announced.map(({ index }) => index),
    onProgress: (leaves) => onProgress(leaves, size),
  });
  const root = made.roots.get(size);
  const isTree = root !== undefined && areEqual(root, checkpoint.root);
  const [wrong] = made.wrong;
  const before =
    kept &&
    compareKept({ checkpoint: kept, root: made.roots.get(kept.size) }, checkpoint, language);
  const signing = await trustAnnounced({
    origin: kept?.origin ?? keys.find(isLogKey)?.name ?? checkpoint.origin,
    trusted: keys,
    known: named.keys,
    announced: announced.map((one) => ({ ...one, found: made.entries.get(one.index) })),
    checkpoint,
    kept,
    isTree,
    isBegun: before?.holds === true,
    language,
  });
  const checks: Check[] = [
    { name: "checkpoint", holds: true, says: says.checkpoint(checkpoint.origin, size) },
    { name: "tree", holds: isTree, says: isTree ? says.tree(size) : says.treeOther(size) },
    wrong
      ? { name: "tiles", holds: false, says: says.tilesOther(toTilePath(wrong), made.wrong.length) }
      : { name: "tiles", holds: true, says: says.tiles },
    ...signing,
    ...(before ? [before] : []),
  ];
  return { checks, checkpoint };
}

interface Signing {
  origin: string;
  trusted: readonly VerifierKey[];
  /** The keys that the log itself claims to be signed with. */
  known: readonly VerifierKey[];
  announced: readonly (Announcement & { found: Buffer | undefined })[];
  checkpoint: Checkpoint;
  kept: Checkpoint | undefined;
  /** Whether the entries make up the checkpoint's tree. */
  isTree: boolean;
  /** Whether the entries begin with those of the saved checkpoint. */
  isBegun: boolean;
  language: Language;
}

/**
 * Checks the signers, and whether trust in an older key extends to the current one. A key is trusted if the log
 * announced it in a tree that a trusted key signed: the current tree, or the saved one that it begins with.
 */
async function trustAnnounced(signing: Signing): Promise<Check[]> {
  const { origin, checkpoint, kept, language } = signing;
  const { says } = languages[language];
  const words = logWords[language];
  const toContext = (trusted: readonly VerifierKey[]) => {
    const known = new Map([...signing.known, ...trusted].map((key) => [key.text, key]));
    return { bundle: { origin }, says, trusted, known: [...known.values()] };
  };
  const keys: Check[] = [];
  let trusted = signing.trusted;
  const checkOwn = async () => {
    const context = toContext(trusted);
    const found = await checkCheckpoint(context, checkpoint, "");
    if (context.known.length > 0) return found;
    // Without any known key the signatures cannot be checked, which is no failure.
    const unknown = says.signatureUnknown(checkpoint.note.signatures.length);
    return found.map((one) =>
      one.name === "signature" ? { ...one, holds: null, says: unknown } : one,
    );
  };
  let own = await checkOwn();
  const isOwnSigned = isSignedByTrusted(own);
  const keptCheck = kept && (await checkKept(toContext(trusted), kept));
  const isCovering = signing.isBegun && trusted.some(isLogKey) && keptCheck?.holds === true;
  for (const { key, index, entry, found } of signing.announced) {
    if (!found || !areEqual(entry, found)) {
      keys.push({ name: "key", holds: false, says: words.keyOther(index) });
      continue;
    }
    if (key.name !== origin || trusted.some(({ text }) => text === key.text)) continue;
    const isSigned = signing.isTree && isSignedByTrusted(own);
    const isCovered = isCovering && index < (kept?.size ?? 0);
    if (!isSigned && !isCovered) continue;
    const toText = isSigned ? words.key : words.keyTrusted;
    keys.push({ name: "key", holds: true, says: toText(key.text, index) });
    trusted = [...trusted, key];
    // A key of the caller is reported as the signer in preference to an announced one.
    if (!isSignedByTrusted(own)) own = await checkOwn();
  }
  // A signature that is trusted by an announcement is reported after it.
  const signers = isOwnSigned ? [...own, ...keys] : [...keys, ...own];
  return [...signers, ...(keptCheck ? [keptCheck] : [])];
}

function isSignedByTrusted(checks: readonly Check[]): boolean {
  const needed = checks.filter(({ name }) => name === "signature" || name === "signer");
  return needed.length === 2 && needed.every(({ holds }) => holds === true);
}

function compareKept(
  kept: { checkpoint: Checkpoint; root: Uint8Array | undefined },
  { size }: Checkpoint,
  language: Language,
): Check {
  const name = "consistency";
  const { says } = languages[language];
  const before = kept.checkpoint.size;
  if (before > size) return { name, holds: false, says: logWords[language].shrunk(before, size) };
  const holds = kept.root !== undefined && areEqual(kept.root, kept.checkpoint.root);
  if (before === size)
    return { name, holds, says: holds ? says.same : says.inconsistentSame(size) };
  return { name, holds, says: (holds ? says.consistent : says.inconsistent)(before, size) };
}

function isLogKey({ type }: VerifierKey): boolean {
  return type === SIGNATURE_TYPES.ed25519;
}
