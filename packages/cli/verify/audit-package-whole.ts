import { hash } from "node:crypto";
import { parseCheckpoint } from "@avow/verifier/checkpoint";
import type { Check } from "@avow/verifier/checks";
import type { Json } from "@avow/verifier/json";
import { MANIFEST_FILE, type Manifest } from "./audit-package-manifest.ts";
import { toCheck } from "./audit-package-rules.ts";
import type { AuditPackageWords } from "./audit-package-words.ts";
import { type SumsReport, SUMS_FILE } from "../audit-package/sums.ts";

const VERSION = /^versions\/(.*)\.json$/;
/** The exponent of the probability below which a sample is rejected: exp(-30), about 1 in 10^13. */
const UNLIKELY = 30;

/** The content of an audit package, which its manifest is checked against. */
export interface PackageContent {
  manifest: Manifest;
  /** The text of `log/checkpoint.txt`. */
  checkpoint: string | undefined;
  /** Ids of the consents with a proof, by their file names. */
  ids: readonly string[];
  sums: SumsReport;
}

/** Checks the manifest against the whole audit package: counts, log, files and sample. */
export function checkWhole(content: PackageContent, words: AuditPackageWords): Check[] {
  const { manifest, ids } = content;
  const { count, proven, pending } = manifest;
  const waiting = new Set(pending);
  const isCounted =
    proven === ids.length &&
    count === proven + pending.length &&
    waiting.size === pending.length &&
    !ids.some((id) => waiting.has(id));
  return [
    {
      name: "count",
      holds: isCounted,
      says: isCounted
        ? words.count(proven, pending.length)
        : words.countOther({ count, proven, pending: pending.length }, ids.length),
    },
    checkLog(content, words),
    toCheck("files", findOtherSums(content), words.files),
    ...checkSample(content, words),
    ...(pending.length > 0
      ? [{ name: "pending", holds: null, says: words.pending(pending.length) }]
      : []),
  ];
}

/** Checks the log of the manifest against the checkpoint that every proof must also have. */
function checkLog({ manifest, checkpoint }: PackageContent, words: AuditPackageWords): Check {
  const { origin, treeSize } = manifest;
  try {
    const found = parseCheckpoint(checkpoint ?? "");
    const holds = found.origin === origin && found.size === treeSize;
    const says = holds ? words.log(origin, treeSize) : words.logOther(found.origin, found.size);
    return { name: "log", holds, says };
  } catch {
    // Proofs under another checkpoint are reported by their own rule.
    return { name: "log", holds: false, says: words.noCheckpoint };
  }
}

/** Files on which the manifest and SHA256SUMS differ. */
function findOtherSums({ manifest, sums }: PackageContent): string[] {
  const listed = [...manifest.sums].filter(([path, sum]) => sums.found.get(path) !== sum);
  const more = [...sums.found.keys()].filter(
    (path) => !manifest.sums.has(path) && path !== MANIFEST_FILE && path !== SUMS_FILE,
  );
  return [...listed.map(([path]) => path), ...more];
}

/**
 * A sample has the ids of the lowest ranks in the period. This cannot be proven without the other ids. But if the
 * highest rank of the sample is too high for that many draws from the population (Chernoff's bound), the ids were not
 * drawn by the seed.
 */
function checkSample({ manifest, ids }: PackageContent, words: AuditPackageWords): Check[] {
  const { method, count, pending } = manifest;
  if (method.kind !== "sample") return [];
  const { seed, size, population } = method;
  const ranks = [...ids, ...pending].map((id) => toRank(`${seed}:${id}`));
  const below = population * ranks.reduce((a, b) => Math.max(a, b), 0);
  const isUnlikely = below > size && (below - size) ** 2 / (2 * below) > UNLIKELY;
  const holds = size === count && population >= size && !isUnlikely;
  const says = holds ? words.sample : words.sampleOther;
  return [{ name: "sample", holds, says: says(size, population, seed) }];
}

/** A text's SHA-256 as a fraction, from 0 up to 1. */
function toRank(text: string): number {
  return hash("sha256", text, "buffer").readUIntBE(0, 6) / 2 ** 48;
}

/** The published files that the consents of an audit package were shown. */
interface ShownVersions {
  hashes: ReadonlySet<string>;
  versions: ReadonlySet<Json>;
}

/** Checks each published file against its name, and that a consent was shown it. */
export function checkVersions(
  { found }: SumsReport,
  shown: ShownVersions,
  { words, manifest }: { words: AuditPackageWords; manifest: Manifest | undefined },
): Check[] {
  const files = [...found].flatMap(([name, sum]) => {
    const [, named] = VERSION.exec(name) ?? [];
    return named === undefined ? [] : [{ name, named, sum }];
  });
  const changed = files.filter(({ named, sum }) => named !== sum).map(({ name }) => name);
  const unused = files.filter(({ named }) => !shown.hashes.has(named)).map(({ name }) => name);
  const unusedVersions = (manifest?.versions ?? []).filter((one) => !shown.versions.has(one));
  // Consents whose proof is pending may have been shown these.
  const holds = (manifest?.pending.length ?? 0) > 0 ? null : false;
  const checks: Check[] = [];
  if (files.length > 0) checks.push(toCheck("versions", changed, words.versions));
  if (unused.length > 0) checks.push({ name: "unused", holds, says: words.unused(unused) });
  if (unusedVersions.length > 0)
    checks.push({ name: "unused", holds, says: words.unusedVersions(unusedVersions) });
  return checks;
}
