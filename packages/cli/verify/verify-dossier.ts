import { fromUtf8 } from "@avow/verifier/bytes";
import { BUNDLE_BYTES_MAX } from "@avow/verifier/bundle";
import { type Check, type Report, type Verdict, toVerdict } from "@avow/verifier/checks";
import { FormatError } from "@avow/verifier/errors";
import { type Trust, languages, verifyBundle } from "@avow/verifier";
import { type Archive, openArchive } from "../dossier/archive.ts";
import { MANIFEST_FILE, type Manifest, readManifest } from "./dossier-manifest.ts";
import { openTally } from "./dossier-rules.ts";
import { checkVersions, checkWhole } from "./dossier-whole.ts";
import { type DossierWords, dossierWords } from "./dossier-words.ts";
import { toReason } from "../terminal/errors.ts";
import { readWhole } from "../terminal/read-bytes.ts";
import { type FoundSums, findSumFaults } from "../dossier/sums.ts";

const CHECKPOINT = "log/checkpoint.txt";
const KEYS = "log/keys.txt";
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
const TEXT_BYTES_MAX = 1024 * 1024;

/** One bundle of an archive, and what was found in it. */
export interface FoundBundle extends Report {
  file: string;
}

/** What was found in an archive: as a whole, and in each of its bundles. */
export interface FoundArchive {
  verdict: Verdict;
  checks: Check[];
  /** What it says and nothing proves, in plain words: no part of the verdict. */
  notes: string[];
  /** What all of it adds up to; undefined where nothing is to be added to the verdict's own words. */
  says?: string;
  bundles: Omit<FoundBundle, "bundle">[];
}

interface Verifying {
  trust: Trust;
  words: DossierWords;
  tell: (found: FoundBundle) => void;
}

/**
 * Checks every bundle of a dossier, packed or unpacked, and holds all that the dossier says beside them
 * against them, as far as it can be. Of a folder that is none every `.json` file is taken for a bundle.
 * `tell` is called with each bundle as soon as it was looked at.
 */
export async function verifyArchive(
  file: string,
  trust: Trust,
  tell: (found: FoundBundle) => void,
): Promise<FoundArchive> {
  const words = dossierWords[trust.language ?? "en"];
  const bundles: FoundArchive["bundles"] = [];
  const verifying: Verifying = {
    trust,
    words,
    tell: (found) => {
      tell(found);
      bundles.push({ file: found.file, verdict: found.verdict, checks: found.checks });
    },
  };
  let found: Pick<FoundArchive, "checks" | "notes">;
  let isDossier = false;
  try {
    using archive = await openArchive(file);
    isDossier = archive.names.includes(MANIFEST_FILE);
    found = await (isDossier ? verifyDossier : verifyFolder)(archive, verifying);
  } catch (error) {
    found = { checks: [{ name: "archive", holds: false, says: toReason(error) }], notes: [] };
  }
  const checks = [...found.checks, ...checkBundles(bundles, words)];
  const verdict = toVerdict(checks);
  const says = isDossier && verdict === "proven" ? { says: words.proven } : {};
  return { verdict, checks, notes: found.notes, ...says, bundles };
}

async function verifyFolder(
  archive: Archive,
  { trust, words, tell }: Verifying,
): Promise<Pick<FoundArchive, "checks" | "notes">> {
  for (const name of archive.names.filter((one) => one.endsWith(".json")))
    tell({ file: name, ...(await verifyOne(archive, name, trust)) });
  return { checks: [{ name: "dossier", holds: true, says: words.noDossier }], notes: [] };
}

async function verifyDossier(
  archive: Archive,
  { trust, words, tell }: Verifying,
): Promise<Pick<FoundArchive, "checks" | "notes">> {
  const { manifest, says } = await readDossierManifest(archive, trust);
  const checkpoint = await findText(archive, CHECKPOINT);
  const keys = await findText(archive, KEYS);
  const names = new Set(archive.names);
  const tally = openTally({ manifest, checkpoint, keys, names }, words);
  const files = archive.names.filter((name) => name.startsWith("proofs/"));
  for (const file of files) {
    const found = { file, ...(await verifyOne(archive, file, trust)) };
    tell(found);
    tally.add(found);
  }
  const sums = await findSumFaults(archive);
  const ids = files.map((file) => file.replace(/^proofs\/(.*)\.json$/, "$1"));
  const checks: Check[] = [
    ...toSumChecks(sums, words),
    ...(manifest
      ? checkWhole({ manifest, checkpoint, ids, sums }, words)
      : [{ name: "manifest", holds: false, says: words.noManifest(says) }]),
    ...tally.toChecks(),
    ...checkVersions(sums, tally.shown, { words, manifest }),
  ];
  return { checks, notes: [...(manifest ? toNotes(manifest, words) : []), words.reading] };
}

/** What the manifest says that no proof can be held against. */
function toNotes(manifest: Manifest, words: DossierWords): string[] {
  const { method, projectTitle, askedBy, askedAt } = manifest;
  const whole = method.kind === "sample" ? words.drawn(method.seed) : words.whole;
  return [words.asked(projectTitle, askedBy, askedAt), whole];
}

async function verifyOne(archive: Archive, name: string, trust: Trust): Promise<Report> {
  try {
    const bytes = await readWhole(archive.stream(name), name, BUNDLE_BYTES_MAX);
    return await verifyBundle(bytes, trust);
  } catch (error) {
    return toBroken(error);
  }
}

/** What is found of a file that cannot be read. */
export function toBroken(error: unknown): Report {
  return { verdict: "broken", checks: [{ name: "file", holds: false, says: toReason(error) }] };
}

/** The manifest, or why it cannot be read. */
async function readDossierManifest(
  archive: Archive,
  trust: Trust,
): Promise<{ manifest?: Manifest; says: string }> {
  try {
    const bytes = await readWhole(archive.stream(MANIFEST_FILE), MANIFEST_FILE, MANIFEST_BYTES_MAX);
    return { manifest: readManifest(fromUtf8(bytes)), says: "" };
  } catch (error) {
    const { faults } = languages[trust.language ?? "en"];
    return { says: error instanceof FormatError ? error.say(faults) : toReason(error) };
  }
}

/** The text of a small file; undefined where there is none. */
async function findText(archive: Archive, name: string): Promise<string | undefined> {
  if (!archive.names.includes(name)) return undefined;
  return fromUtf8(await readWhole(archive.stream(name), name, TEXT_BYTES_MAX));
}

function toSumChecks(sums: FoundSums, words: DossierWords): Check[] {
  const checks: Check[] = (["changed", "missing", "unlisted"] as const)
    .filter((kind) => sums[kind].length > 0)
    .map((kind) => ({ name: "sums", holds: false, says: words[kind](sums[kind]) }));
  if (sums.reason !== undefined) checks.push({ name: "sums", holds: false, says: sums.reason });
  return checks.length > 0 ? checks : [{ name: "sums", holds: true, says: words.sums(sums.count) }];
}

/** How many bundles are proven; an archive without any proves nothing. */
function checkBundles(bundles: FoundArchive["bundles"], words: DossierWords): Check[] {
  if (bundles.length === 0) return [{ name: "bundles", holds: null, says: words.noBundles }];
  const proven = bundles.filter(({ verdict }) => verdict === "proven").length;
  const isBroken = bundles.some(({ verdict }) => verdict === "broken");
  const holds = isBroken ? false : proven === bundles.length ? true : null;
  return [{ name: "bundles", holds, says: words.bundles(proven, bundles.length) }];
}
