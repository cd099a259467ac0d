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

/** What somebody who checks a log has from elsewhere. */
export interface LogTrust {
  keys: readonly VerifierKey[];
  /** An older checkpoint that was kept. */
  kept: Checkpoint | undefined;
  language: Language;
}

/** What was found, and the checkpoint that it is of. */
export interface LogReport {
  checks: Check[];
  checkpoint: Checkpoint;
}

/** The same, of a log with a name. */
export interface TitledReport extends LogReport {
  title: string;
}

/**
 * Reads a whole log and believes nothing of it: its tree is made again from its entries, and held
 * against the signature and the checkpoint that was kept.
 * @throws FormatError for a checkpoint that is none; CommandError for tiles that are not there
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
  /** What the log itself says that it is signed by. */
  known: readonly VerifierKey[];
  announced: readonly (Announcement & { found: Buffer | undefined })[];
  checkpoint: Checkpoint;
  kept: Checkpoint | undefined;
  /** Whether the entries make the checkpoint's tree. */
  isTree: boolean;
  /** Whether they begin with those of the one that was kept. */
  isBegun: boolean;
  language: Language;
}

/**
 * Who signed, and whether trust in an older key reaches the one that signs now: a key is trusted that
 * the log announced in a tree that is signed by a trusted one. That is the tree at hand, or the one that
 * was kept, which the tree at hand begins with.
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
    // Neither the reader nor the log names a key: that is no fault of the signatures.
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
    const say = isSigned ? words.key : words.keyTrusted;
    keys.push({ name: "key", holds: true, says: say(key.text, index) });
    trusted = [...trusted, key];
    // Where a key that was given signed, it is that one alone that is told to be trusted.
    if (!isSignedByTrusted(own)) own = await checkOwn();
  }
  // Trust that comes by an announcement is told after it.
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
