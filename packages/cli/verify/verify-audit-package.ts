import { fromUtf8 } from "@avow/verifier/bytes";
import { BUNDLE_BYTES_MAX } from "@avow/verifier/bundle";
import { type Check, type Report, type Verdict, toVerdict } from "@avow/verifier/checks";
import { FormatError } from "@avow/verifier/errors";
import { type Trust, languages, verifyBundle } from "@avow/verifier";
import { type Archive, openArchive } from "../audit-package/archive.ts";
import { MANIFEST_FILE, type Manifest, readManifest } from "./audit-package-manifest.ts";
import { openTally } from "./audit-package-rules.ts";
import { checkVersions, checkWhole } from "./audit-package-whole.ts";
import { type AuditPackageWords, auditPackageWords } from "./audit-package-words.ts";
import { toReason } from "../terminal/errors.ts";
import { readWhole } from "../terminal/read-bytes.ts";
import { type SumsReport, checkSums } from "../audit-package/sums.ts";

const CHECKPOINT = "log/checkpoint.txt";
const KEYS = "log/keys.txt";
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;
const TEXT_BYTES_MAX = 1024 * 1024;

/** The report of one bundle of an archive. */
export interface BundleReport extends Report {
  file: string;
}

/** The report of an archive, and of each of its bundles. */
export interface ArchiveReport {
  verdict: Verdict;
  checks: Check[];
  /** Statements about unproven content, which is not part of the verdict. */
  notes: string[];
  /** A summary in place of the verdict's default text. */
  says?: string;
  bundles: Omit<BundleReport, "bundle">[];
}

interface Verifying {
  trust: Trust;
  words: AuditPackageWords;
  onBundle: (found: BundleReport) => void;
}

/**
 * Checks every bundle of an audit package, packed or unpacked, and the other files against the bundles as far as
 * possible. In any other folder or archive every `.json` file is treated as a bundle. `onBundle` is called with each
 * bundle as soon as it was checked.
 */
export async function verifyArchive(
  file: string,
  trust: Trust,
  onBundle: (found: BundleReport) => void,
): Promise<ArchiveReport> {
  const words = auditPackageWords[trust.language ?? "en"];
  const bundles: ArchiveReport["bundles"] = [];
  const verifying: Verifying = {
    trust,
    words,
    onBundle: (found) => {
      onBundle(found);
      bundles.push({ file: found.file, verdict: found.verdict, checks: found.checks });
    },
  };
  let found: Pick<ArchiveReport, "checks" | "notes">;
  let isAuditPackage = false;
  try {
    using archive = await openArchive(file);
    isAuditPackage = archive.names.includes(MANIFEST_FILE);
    found = await (isAuditPackage ? verifyAuditPackage : verifyFolder)(archive, verifying);
  } catch (error) {
    found = { checks: [{ name: "archive", holds: false, says: toReason(error) }], notes: [] };
  }
  const checks = [...found.checks, ...checkBundles(bundles, words)];
  const verdict = toVerdict(checks);
  const says = isAuditPackage && verdict === "proven" ? { says: words.proven } : {};
  return { verdict, checks, notes: found.notes, ...says, bundles };
}

async function verifyFolder(
  archive: Archive,
  { trust, words, onBundle }: Verifying,
): Promise<Pick<ArchiveReport, "checks" | "notes">> {
  for (const name of archive.names.filter((one) => one.endsWith(".json")))
    onBundle({ file: name, ...(await verifyOne(archive, name, trust)) });
  return { checks: [{ name: "dossier", holds: true, says: words.noAuditPackage }], notes: [] };
}

async function verifyAuditPackage(
  archive: Archive,
  { trust, words, onBundle }: Verifying,
): Promise<Pick<ArchiveReport, "checks" | "notes">> {
  const { manifest, says } = await readAuditPackageManifest(archive, trust);
  const checkpoint = await findText(archive, CHECKPOINT);
  const keys = await findText(archive, KEYS);
  const names = new Set(archive.names);
  const tally = openTally({ manifest, checkpoint, keys, names }, words);
  const files = archive.names.filter((name) => name.startsWith("proofs/"));
  for (const file of files) {
    const found = { file, ...(await verifyOne(archive, file, trust)) };
    onBundle(found);
    tally.add(found);
  }
  const sums = await checkSums(archive);
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

/** The statements of the manifest that no proof can confirm. */
function toNotes(manifest: Manifest, words: AuditPackageWords): string[] {
  const { method, projectTitle, askedBy, askedAt } = manifest;
  const whole = method.kind === "sample" ? words.drawn(method.seed) : words.whole;
  return [words.asked(projectTitle, askedBy, askedAt), whole];
}

async function verifyOne(archive: Archive, name: string, trust: Trust): Promise<Report> {
  try {
    const bytes = await readWhole(archive.stream(name), name, BUNDLE_BYTES_MAX);
    return await verifyBundle(bytes, trust);
  } catch (error) {
    return toUnreadableReport(error);
  }
}

/** The report of an unreadable file. */
export function toUnreadableReport(error: unknown): Report {
  return { verdict: "broken", checks: [{ name: "file", holds: false, says: toReason(error) }] };
}

/** The manifest, or the reason why it cannot be parsed. */
async function readAuditPackageManifest(
  archive: Archive,
  trust: Trust,
): Promise<{ manifest?: Manifest; says: string }> {
  try {
    const bytes = await readWhole(archive.stream(MANIFEST_FILE), MANIFEST_FILE, MANIFEST_BYTES_MAX);
    return { manifest: readManifest(fromUtf8(bytes)), says: "" };
  } catch (error) {
    const { errors } = languages[trust.language ?? "en"];
    return { says: error instanceof FormatError ? error.say(errors) : toReason(error) };
  }
}

/** The text of a small file; undefined when missing. */
async function findText(archive: Archive, name: string): Promise<string | undefined> {
  if (!archive.names.includes(name)) return undefined;
  return fromUtf8(await readWhole(archive.stream(name), name, TEXT_BYTES_MAX));
}

function toSumChecks(sums: SumsReport, words: AuditPackageWords): Check[] {
  const checks: Check[] = (["changed", "missing", "unlisted"] as const)
    .filter((kind) => sums[kind].length > 0)
    .map((kind) => ({ name: "sums", holds: false, says: words[kind](sums[kind]) }));
  if (sums.reason !== undefined) checks.push({ name: "sums", holds: false, says: sums.reason });
  return checks.length > 0 ? checks : [{ name: "sums", holds: true, says: words.sums(sums.count) }];
}

/** Checks that every bundle is proven. The result is open for an archive without bundles. */
function checkBundles(bundles: ArchiveReport["bundles"], words: AuditPackageWords): Check[] {
  if (bundles.length === 0) return [{ name: "bundles", holds: null, says: words.noBundles }];
  const proven = bundles.filter(({ verdict }) => verdict === "proven").length;
  const isBroken = bundles.some(({ verdict }) => verdict === "broken");
  const holds = isBroken ? false : proven === bundles.length ? true : null;
  return [{ name: "bundles", holds, says: words.bundles(proven, bundles.length) }];
}
