import { hash } from "node:crypto";
import { parseCheckpoint } from "@avow/verifier/checkpoint";
import type { Check } from "@avow/verifier/checks";
import type { Json } from "@avow/verifier/json";
import { MANIFEST_FILE, type Manifest } from "./dossier-manifest.ts";
import { toCheck } from "./dossier-rules.ts";
import type { DossierWords } from "./dossier-words.ts";
import { type FoundSums, SUMS_FILE } from "../dossier/sums.ts";

const VERSION = /^versions\/(.*)\.json$/;
/** A draw that is worse than this is none: exp(-30), once in ten thousand thousand million. */
const UNLIKELY = 30;

/** What was found of a dossier, which its manifest is held against. */
export interface Whole {
  manifest: Manifest;
  /** The text of `log/checkpoint.txt`. */
  checkpoint: string | undefined;
  /** Ids of the consents that it has proofs of, by the names of their files. */
  ids: readonly string[];
  sums: FoundSums;
}

/** Holds a manifest against the dossier as a whole: counts, log, files and sample. */
export function checkWhole(whole: Whole, words: DossierWords): Check[] {
  const { manifest, ids } = whole;
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
    checkLog(whole, words),
    toCheck("files", findOtherSums(whole), words.files),
    ...checkSample(whole, words),
    ...(pending.length > 0
      ? [{ name: "pending", holds: null, says: words.pending(pending.length) }]
      : []),
  ];
}

/** What the manifest says of the log, which every proof's checkpoint is held against too. */
function checkLog({ manifest, checkpoint }: Whole, words: DossierWords): Check {
  const { origin, treeSize } = manifest;
  try {
    const found = parseCheckpoint(checkpoint ?? "");
    const holds = found.origin === origin && found.size === treeSize;
    const says = holds ? words.log(origin, treeSize) : words.logOther(found.origin, found.size);
    return { name: "log", holds, says };
  } catch {
    // Proofs under another checkpoint are told of by themselves; there may be none.
    return { name: "log", holds: false, says: words.noCheckpoint };
  }
}

/** Files of which manifest and sums do not tell the same. */
function findOtherSums({ manifest, sums }: Whole): string[] {
  const listed = [...manifest.sums].filter(([path, sum]) => sums.found.get(path) !== sum);
  const more = [...sums.found.keys()].filter(
    (path) => !manifest.sums.has(path) && path !== MANIFEST_FILE && path !== SUMS_FILE,
  );
  return [...listed.map(([path]) => path), ...more];
}

/**
 * A sample's ids have the lowest ranks of all in the period. Without the others that cannot be shown; but
 * of as many as the manifest says, so many at least lie below the highest rank here, if they are not
 * the lowest: where that is out of all likelihood (Chernoff's bound), they were not drawn so.
 */
function checkSample({ manifest, ids }: Whole, words: DossierWords): Check[] {
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

/** Where a text's SHA-256 lies among all, from 0 up to 1. */
function toRank(text: string): number {
  return hash("sha256", text, "buffer").readUIntBE(0, 6) / 2 ** 48;
}

/** What the consents of a dossier were shown. */
interface Shown {
  hashes: ReadonlySet<string>;
  versions: ReadonlySet<Json>;
}

/** Holds each published file against its own name, and what was published against the proofs. */
export function checkVersions(
  { found }: FoundSums,
  shown: Shown,
  { words, manifest }: { words: DossierWords; manifest: Manifest | undefined },
): Check[] {
  const files = [...found].flatMap(([name, sum]) => {
    const [, told] = VERSION.exec(name) ?? [];
    return told === undefined ? [] : [{ name, told, sum }];
  });
  const changed = files.filter(({ told, sum }) => told !== sum).map(({ name }) => name);
  const unused = files.filter(({ told }) => !shown.hashes.has(told)).map(({ name }) => name);
  const unusedVersions = (manifest?.versions ?? []).filter((one) => !shown.versions.has(one));
  // What still waits for its proof may have been shown them.
  const holds = (manifest?.pending.length ?? 0) > 0 ? null : false;
  const checks: Check[] = [];
  if (files.length > 0) checks.push(toCheck("versions", changed, words.versions));
  if (unused.length > 0) checks.push({ name: "unused", holds, says: words.unused(unused) });
  if (unusedVersions.length > 0)
    checks.push({ name: "unused", holds, says: words.unusedVersions(unusedVersions) });
  return checks;
}
