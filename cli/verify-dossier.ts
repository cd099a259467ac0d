import { fromUtf8 } from "../verifier/bytes.ts";
import { BUNDLE_BYTES_MAX } from "../verifier/bundle.ts";
import { type Check, type Report, type Verdict, toVerdict } from "../verifier/checks.ts";
import { type Trust, verifyBundle } from "../verifier/verify.ts";
import { type Archive, openArchive, readWhole } from "./archive.ts";
import { toReason } from "./client.ts";
import { type DossierWords, dossierWords } from "./dossier-words.ts";
import { findSumFaults } from "./sums.ts";

const MANIFEST = "manifest.json";
const CHECKPOINT = "log/checkpoint.txt";
const MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

/** One bundle of an archive, and what was found in it. */
export interface FoundBundle extends Report {
  file: string;
}

/** What was found in an archive: as a whole, and in each of its bundles. */
export interface FoundArchive {
  verdict: Verdict;
  checks: Check[];
  bundles: Omit<FoundBundle, "bundle">[];
}

/** What of a manifest is held against what is there. */
interface Manifest {
  projectId: string;
  askedAt: string;
  proven: number;
  pending: unknown[];
}

/**
 * Checks every bundle of a dossier, packed or unpacked, and that it is whole: sums, counts, one
 * checkpoint. Of a folder that is none every `.json` file is taken for a bundle. `tell` is called with
 * each bundle as soon as it was looked at.
 */
export async function verifyArchive(
  file: string,
  trust: Trust,
  tell: (found: FoundBundle) => void,
): Promise<FoundArchive> {
  const words = dossierWords[trust.language ?? "en"];
  const bundles: FoundArchive["bundles"] = [];
  let checks: Check[];
  try {
    using archive = await openArchive(file);
    const isDossier = archive.names.includes(MANIFEST);
    const names = archive.names.filter((name) =>
      isDossier ? name.startsWith("proofs/") : name.endsWith(".json"),
    );
    const tally = openTally(isDossier ? await readCheckpoint(archive) : undefined);
    for (const name of names) {
      const found = { file: name, ...(await verifyOne(archive, name, trust)) };
      tell(found);
      tally.add(found);
      bundles.push({ file: name, verdict: found.verdict, checks: found.checks });
    }
    checks = isDossier
      ? [...(await checkWhole(archive, names.length, words)), ...tally.toChecks(words)]
      : [{ name: "dossier", holds: true, says: words.noDossier }];
  } catch (error) {
    checks = [{ name: "archive", holds: false, says: toReason(error) }];
  }
  checks.push(...checkBundles(bundles, words));
  return { verdict: toVerdict(checks), checks, bundles };
}

async function verifyOne(archive: Archive, name: string, trust: Trust): Promise<Report> {
  try {
    return await verifyBundle(await readWhole(archive, name, BUNDLE_BYTES_MAX), trust);
  } catch (error) {
    const says = toReason(error);
    return { verdict: "broken", checks: [{ name: "file", holds: false, says }] };
  }
}

async function readCheckpoint(archive: Archive): Promise<string> {
  return fromUtf8(await readWhole(archive, CHECKPOINT, MANIFEST_BYTES_MAX));
}

/** What all bundles of a dossier have to have in common. */
function openTally(checkpoint: string | undefined) {
  const misnamed: string[] = [];
  const elsewhere: string[] = [];
  return {
    add({ file, bundle }: FoundBundle): void {
      if (bundle?.kind !== "consent") return;
      const { record, proof } = bundle.consent;
      const { consentId } = record;
      if (typeof consentId !== "string" || file !== `proofs/${consentId}.json`) misnamed.push(file);
      if (proof.checkpoint.source !== checkpoint) elsewhere.push(file);
    },
    toChecks: (words: DossierWords): Check[] => [
      toCheck("names", misnamed, { good: words.names, bad: words.namesOther }),
      toCheck("checkpoint", elsewhere, { good: words.checkpoint, bad: words.checkpointOther }),
    ],
  };
}

function toCheck(
  name: string,
  faulty: readonly string[],
  { good, bad }: { good: string; bad: (names: readonly string[]) => string },
): Check {
  const holds = faulty.length === 0;
  return { name, holds, says: holds ? good : bad(faulty) };
}

async function checkWhole(archive: Archive, count: number, words: DossierWords): Promise<Check[]> {
  const sums = await findSumFaults(archive);
  const faults = (["changed", "missing", "unlisted"] as const).filter(
    (kind) => sums[kind].length > 0,
  );
  const checks: Check[] = faults.map((kind) => ({
    name: "sums",
    holds: false,
    says: words[kind](sums[kind]),
  }));
  if (sums.reason !== undefined) checks.push({ name: "sums", holds: false, says: sums.reason });
  if (checks.length === 0) checks.push({ name: "sums", holds: true, says: words.sums(sums.count) });
  return [...(await checkManifest(archive, count, words)), ...checks];
}

async function checkManifest(
  archive: Archive,
  count: number,
  words: DossierWords,
): Promise<Check[]> {
  let manifest: Manifest;
  try {
    manifest = readManifest(fromUtf8(await readWhole(archive, MANIFEST, MANIFEST_BYTES_MAX)));
  } catch (error) {
    return [{ name: "manifest", holds: false, says: words.noManifest(toReason(error)) }];
  }
  const { projectId, askedAt, proven, pending } = manifest;
  const says = proven === count ? words.count(count) : words.countOther(proven, count);
  const waiting: Check = { name: "pending", holds: null, says: words.pending(pending.length) };
  return [
    { name: "manifest", holds: true, says: words.manifest(projectId, askedAt) },
    { name: "count", holds: proven === count, says },
    ...(pending.length > 0 ? [waiting] : []),
  ];
}

function readManifest(text: string): Manifest {
  const told = JSON.parse(text) as Partial<Record<keyof Manifest | "format", unknown>> | null;
  const { format, projectId, askedAt, proven, pending } = told ?? {};
  const isKnown =
    format === "avow-dossier/v1" &&
    typeof projectId === "string" &&
    typeof askedAt === "string" &&
    typeof proven === "number" &&
    Array.isArray(pending);
  if (!isKnown) throw new Error("avow-dossier/v1?");
  return { projectId, askedAt, proven, pending };
}

/** How many bundles are proven; an archive without any proves nothing. */
function checkBundles(bundles: FoundArchive["bundles"], words: DossierWords): Check[] {
  if (bundles.length === 0) return [{ name: "bundles", holds: null, says: words.noBundles }];
  const proven = bundles.filter(({ verdict }) => verdict === "proven").length;
  const isBroken = bundles.some(({ verdict }) => verdict === "broken");
  const holds = isBroken ? false : proven === bundles.length ? true : null;
  return [{ name: "bundles", holds, says: words.bundles(proven, bundles.length) }];
}
