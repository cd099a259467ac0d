import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { browserPackages, readBrowserFiles } from "../../packages/server/platform/browser-files.ts";
import { openRunBrowser } from "./browser.ts";
import { openClusterTemplate } from "./citus.ts";
import { openRunDatabase } from "./database.ts";
import { type FileRun, type PoolOptions, runFiles } from "./pool.ts";
import { openReport } from "./report.ts";
import { type Ring, getRing, listTestFiles, rings, selectFiles } from "./rings.ts";
import { watchFiles } from "./watch.ts";

const WORKERS_MAX = 8;
/** The database of this run that tests copy on all nodes of a Citus cluster. */
const CLUSTER_TEMPLATE = `avow_template_${randomBytes(6).toString("hex")}`;
const MINUTE_MS = 60_000;
const STOPPED_STATUS = 130;
/** They end a test that hangs. A machine that others use as well may take four times as long as an idle one. */
const usualTimeouts = { testMs: 6 * MINUTE_MS, fileMs: 20 * MINUTE_MS };
const campaignTimeouts = { testMs: 12 * 60 * MINUTE_MS, fileMs: 24 * 60 * MINUTE_MS };
/** More than these are not retried: they did not fail by chance. */
const RETRIED_FILES_MAX = 4;
/** Runs of a property, and its longest time: hundreds of times those of the fast ring. */
const campaignEnv = { HOSTILE_RUNS: "1000", HOSTILE_SECONDS: "600" };
/** The data plane of a ring's tests (`TEST_PLANES`, see `test/database.ts`). */
const planesByRing: Partial<Record<Ring, string>> = {
  buckets: "buckets",
  "one-bucket": "one-bucket",
  citus: "citus",
};
const usage = `Usage: npm test -- [OPTIONS] [PATH ...]

Runs the unit and interface tests, or the test files whose path contains PATH.

Options
  --ring RING                   ${rings.slice(0, -1).join(", ")} or ${rings.at(-1)} (default: fast)
  --workers N                   processes side by side (default: one more than there are cores, at most ${WORKERS_MAX})
  --test-name-pattern PATTERN   only tests whose name matches, with the report of node:test
  --watch                       run the tests that each change affects
  --retry                       run the files that failed again, one at a time; tests that then pass are
                                reported as flaky
  --results FILE                write the result of each test to FILE, as JSON lines
  --list                        print the files and run nothing
  --help                        print this

CITUS_URL names a database of the coordinator of a Citus cluster, on which the ring citus has the data plane; its
role must be allowed to create databases on all nodes.
TEST_DATABASE_URL names a PostgreSQL to use in place of the embedded one; its role must be allowed to
create databases.`;

// A reader of the report may close the pipe early.
process.stdout.on("error", () => undefined);
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stopping.abort());
try {
  process.exitCode = await main();
} catch (error) {
  // The database or the browser may have got the signal, too, while it started.
  if (!stopping.signal.aborted) throw error;
}
if (stopping.signal.aborted) process.exitCode = STOPPED_STATUS;

function readArguments() {
  return parseArgs({
    allowPositionals: true,
    options: {
      ring: { type: "string", default: "fast" },
      workers: { type: "string" },
      "test-name-pattern": { type: "string", multiple: true, default: [] },
      watch: { type: "boolean", default: false },
      retry: { type: "boolean", default: false },
      results: { type: "string" },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
}

async function main(): Promise<number> {
  let options: ReturnType<typeof readArguments>;
  try {
    options = readArguments();
  } catch (error) {
    return printError(`${(error as Error).message}\n\n${usage}`);
  }
  const { values, positionals } = options;
  if (values.help) return print(usage);
  const ring = rings.find((name) => name === values.ring);
  if (!ring) return printError(`There is no ring "${values.ring}". Use ${rings.join(", ")}.`);
  const all = listTestFiles();
  const unknown = positionals.filter((path) => selectFiles(all, ring, [path]).length === 0);
  if (unknown.length > 0) return printError(`No test file matches ${unknown.join(" or ")}.`);
  const files = selectFiles(all, ring, positionals);
  if (values.list) return print(files.join("\n"));
  const workers = Number(values.workers ?? getWorkers(ring));
  if (!Number.isInteger(workers) || workers < 1)
    return printError("--workers expects an integer of at least 1.");
  if (values.results !== undefined) writeFileSync(values.results, "", { flag: "a" });

  const isOnCluster = ring === "citus";
  const coordinatorUrl = process.env["CITUS_URL"] ?? "";
  if (isOnCluster && coordinatorUrl === "")
    return printError("Set CITUS_URL to a database of a Citus coordinator (test/citus/README.md).");

  const { signal } = stopping;
  const isCampaign = files.some((file) => getRing(file) === "campaign");
  const planes = planesByRing[ring] ?? process.env["TEST_PLANES"];
  await using database = await openRunDatabase(planes);
  if (signal.aborted) return STOPPED_STATUS;
  await using _cluster = isOnCluster
    ? await openClusterTemplate(coordinatorUrl, CLUSTER_TEMPLATE)
    : undefined;
  // Once for the run: workers find them in the cache.
  await Promise.all(browserPackages.map((name) => readBrowserFiles(name)));
  await using browser = files.some(isBrowserTest) ? await openRunBrowser() : undefined;
  const env = {
    TEST_DATABASE_URL: database.url,
    TEST_DATABASE_TEMPLATE: database.template,
    ...(planes !== undefined && { TEST_PLANES: planes }),
    ...(isOnCluster && { TEST_CITUS_TEMPLATE: CLUSTER_TEMPLATE }),
    ...(browser && { TEST_BROWSER_URL: browser.url }),
    ...(isCampaign && { ...campaignEnv, ...listSet(Object.keys(campaignEnv)) }),
  };
  const timeouts = isCampaign ? campaignTimeouts : usualTimeouts;
  // Awaited here: the database and the browser are closed when this function returns.
  if (values["test-name-pattern"].length > 0)
    return await runFiltered(files, { patterns: values["test-name-pattern"], env });
  const common = { workers, env, timeouts, signal };
  const run = (selected: readonly string[], given = common) =>
    runAll(selected, given, values.results);
  if (values.watch) {
    const listFiles = () => selectFiles(listTestFiles(), ring, positionals);
    return await watchFiles(listFiles, { run, signal });
  }
  const failed = await run(files);
  if (failed === undefined) return 0;
  const isTried = values.retry && failed.length > 0 && failed.length <= RETRIED_FILES_MAX;
  if (!isTried || signal.aborted) return 1;
  print(`\nRunning ${failed.length === 1 ? "the failed file" : "the failed files"} again.`);
  if (await run(failed, { ...common, workers: 1 })) return 1;
  print(failed.map((file) => `flaky: ${file} failed at first and passed alone`).join("\n"));
  return 0;
}

/**
 * One worker more than there are cores, because tests wait for the database now and then; with more of
 * them than that, switching costs more than waiting. A campaign takes the machine for itself.
 */
function getWorkers(ring: Ring): number {
  return ring === "campaign" ? 1 : Math.min(availableParallelism() + 1, WORKERS_MAX);
}

/** Returns undefined if all files passed, otherwise those that failed. */
async function runAll(
  files: readonly string[],
  options: Omit<PoolOptions, "files" | "isLive" | "onFile">,
  resultsPath: string | undefined,
): Promise<string[] | undefined> {
  const isLive = files.length === 1;
  const report = openReport({ fileCount: files.length, isVerbose: isLive });
  const onFile = (run: FileRun): void => {
    report.addFile(run);
    if (resultsPath !== undefined) appendResults(resultsPath, run);
  };
  await runFiles({ ...options, files, isLive, onFile });
  return report.finish();
}

function isBrowserTest(file: string): boolean {
  return ["browser", "examples"].includes(getRing(file));
}

/** Those of the variables that are set for this process. */
function listSet(names: readonly string[]): Record<string, string> {
  const set = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(set) as Record<string, string>;
}

function appendResults(path: string, { file, tests }: FileRun): void {
  const lines = tests.map((result) => `${JSON.stringify({ file, ...result })}\n`);
  appendFileSync(path, lines.join(""));
}

/** A name pattern is node:test's own; it prints its own report. */
async function runFiltered(
  files: readonly string[],
  { patterns, env }: { patterns: readonly string[]; env: Record<string, string> },
): Promise<number> {
  const args = [
    "--test",
    "--test-isolation=none",
    "--test-reporter=spec",
    `--import=${join(import.meta.dirname, "close.ts")}`,
    ...patterns.map((pattern) => `--test-name-pattern=${pattern}`),
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    stdio: "inherit",
    env: { ...process.env, ...env },
    signal: stopping.signal,
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function printError(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}
