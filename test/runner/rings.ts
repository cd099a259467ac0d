import { globSync, existsSync } from "node:fs";
import { relative, resolve, sep } from "node:path";

/**
 * The rings of tests: for every change, for a release (browser, faults, deploy and examples), with projects in several
 * buckets, on a Citus cluster, and by hand for hours.
 */
export const rings = [
  "fast",
  "browser",
  "faults",
  "deploy",
  "examples",
  "buckets",
  "one-bucket",
  "citus",
  "campaign",
] as const;
export type Ring = (typeof rings)[number];

const root = resolve(import.meta.dirname, "../..");
const folders = ["packages", "scripts", "test"];
/** Packages from npm, some of which have tests. */
const exclude = ["**/node_modules/**"];
/** Unit tests, the shortest, come last: all workers have work to the end. */
const longestFirst = [
  "test/log/",
  "test/journeys/",
  "test/browser/admin/",
  "test/faults/lifecycle.test.ts",
  "test/faults/webhooks.test.ts",
  "test/",
];
const folderByRing: Partial<Record<Ring, string>> = {
  browser: "test/browser/",
  faults: "test/faults/",
  deploy: "test/deploy/",
  examples: "test/examples/",
  citus: "test/citus/",
  campaign: "test/campaign/",
};

/** Tests of the fast ring that the ring of the cluster runs, too. */
const onCluster = /^test\/(?:interface|journeys)\//;
/** Those of them that are about one PostgreSQL: its plans and statistics, and databases of earlier versions. */
const notOnCluster = /\/(?:[a-z]+-plans|[a-z]+-indexes|db|statistics|upgrade|migrate)\.test\.ts$/;

/** Tests of the fast ring that run with buckets, too; those about the buckets of one database create their own. */
const withBuckets = /^test\/interface\/(?!distribute)/;
/** Those of them that write rows past the service, or read what only tables have: their projects are in one of the buckets. */
const inOneBucket =
  /\/(?:app-(?:exports|exports-pages|groups|reads)|archived-.*|client-plans|conventions-writes|empty-bodies|hostile-.*|openapi|pending|proofs|retention|rights|statistics|stats-(?:counting|days|forgetting|groups)|status)\.test\.ts$/;

/** The ring of a test file, given relative to the root: its folder decides. */
export function getRing(file: string): Ring {
  const found = rings.find((ring) => file.startsWith(folderByRing[ring] ?? "\0"));
  return found ?? "fast";
}

/** The paths of all test files, relative to the root, in the order in which they run. */
export function listTestFiles(): string[] {
  const rankOf = (file: string): number => {
    const rank = longestFirst.findIndex((prefix) => file.startsWith(prefix));
    return rank === -1 ? longestFirst.length : rank;
  };
  return folders
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude }))
    .map((file) => file.split(sep).join("/"))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

/**
 * The files of a ring, or those that `paths` name: a file, a folder, or a part of the path. A path
 * without a match in the ring is searched in the other rings.
 */
export function selectFiles(
  files: readonly string[],
  ring: Ring,
  paths: readonly string[],
): string[] {
  const inRing = files.filter((file) => getRing(file) === ring || isRunAgain(file, ring));
  if (paths.length === 0) return inRing;
  const selected = paths.map(toRootPath).flatMap((path) => {
    if (files.includes(path)) return [path];
    const found = inRing.filter((file) => file.includes(path));
    return found.length > 0 ? found : files.filter((file) => file.includes(path));
  });
  return [...new Set(selected)];
}

/** Whether a file of the fast ring is in this ring, too. */
function isRunAgain(file: string, ring: Ring): boolean {
  if (ring === "citus") return onCluster.test(file) && !notOnCluster.test(file);
  if (ring === "buckets") return withBuckets.test(file) && !inOneBucket.test(file);
  return ring === "one-bucket" && withBuckets.test(file) && inOneBucket.test(file);
}

/** A path as the shell completes it, relative to the root; any other text as it is. */
function toRootPath(path: string): string {
  return existsSync(path) ? relative(root, resolve(path)).split(sep).join("/") : path;
}
