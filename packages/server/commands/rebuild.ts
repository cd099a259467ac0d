// avow rebuild: makes the states of all tokens from their records again, or checks them.
import { assertNoPositionals, parseOptions } from "@avow/cli/arguments";
import { UsageError } from "@avow/cli/errors";
import { pino } from "pino";
import { type Config, loadConfig } from "../config/config.ts";
import { type RebuildProgress, rebuildStates } from "../modules/consents/erase/rebuild.ts";
import { recountAnswers } from "../modules/consents/stats/tally.ts";
import { findLogSize, listPlacedConsents } from "../modules/evidence/log/placed.ts";
import type { DataDb } from "../platform/db/db.ts";
import { toPlaneUrls } from "../platform/db/open.ts";
import { openAddress } from "@avow/postgres/address";
import { openCommandData } from "./data-plane.ts";
import { documentIdPattern } from "../kernel/ids.ts";

const help = `Usage: avow rebuild [--check] [--project ID] [--statistics]

Rebuilds the current and the past consent states of all tokens from their records.

  --check       report differences without changing anything; exit status 1 if there are any
  --project ID  rebuild one project only
  --statistics  rebuild the counts of answers instead of states; erased records are not counted
                again, and counts of displays stay as they are, since no record has them
  -h, --help    show this text

Uses DATABASE_URL, or the embedded database in DATA_DIR (default ./data). The service may be running and
collecting consents. A stopped rebuild can be run again.
`;
/** Maximum number of differences that are printed; all are counted. */
const NAMED_MAX = 20;
const PROGRESS_MS = 1_000;

const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));

/** Runs `avow rebuild`; returns the exit status. */
export async function runRebuild(args: string[]): Promise<number> {
  const parsed = parseOptions(args, help, {
    check: { type: "boolean" },
    project: { type: "string" },
    statistics: { type: "boolean" },
  });
  if (!parsed) return 0;
  assertNoPositionals(parsed.positionals);
  const { project, check = false, statistics = false } = parsed.values;
  if (project !== undefined && !documentIdPattern.test(project))
    throw new UsageError(`${project} is not an id: 24 lower-case hexadecimal characters.`);
  const { config, secrets } = loadConfig();
  await using database = await openAddress({ ...config, ...secrets, log });
  const { dataUrl } = toPlaneUrls(database.url, secrets.consentsDatabaseUrl);
  await using opened = await openCommandData(dataUrl, { config, log });
  const options = { projectId: project, isCheck: check };
  let differences = 0;
  for (const { name, data } of opened.buckets.list()) {
    if (opened.buckets.list().length > 1) console.log(`Bucket ${name}:`);
    differences += statistics
      ? await recount({ data, config }, options)
      : await rebuild(data, options);
  }
  return check && differences > 0 ? 1 : 0;
}

interface Options {
  projectId: string | undefined;
  isCheck: boolean;
}

/** Counts the answers of all records of a bucket again; returns the differences. */
async function recount(
  app: { data: DataDb; config: Pick<Config, "statisticsPages"> },
  options: Options,
): Promise<number> {
  const placed = { findLogSize, listPlacedConsents };
  let reportedAt = performance.now();
  const { entries, differences } = await recountAnswers(
    { ...app, ...placed },
    {
      ...options,
      onProgress({ entries: done, of: total }) {
        if (performance.now() - reportedAt < PROGRESS_MS) return;
        reportedAt = performance.now();
        process.stderr.write(
          `${clearLine()}${done.toLocaleString("en")} of ${count(total, "log entry", "log entries")} read`,
        );
        if (!process.stderr.isTTY) process.stderr.write("\n");
      },
    },
  );
  process.stderr.write(clearLine());
  console.log(
    `${count(entries, "log entry", "log entries")} read, ${count(differences, "difference")}`,
  );
  if (differences > 0 && !options.isCheck) console.log("The counts are corrected.");
  return differences;
}

/** Rebuilds the states of a bucket; returns the differences. */
async function rebuild(data: DataDb, options: Options): Promise<number> {
  const started = performance.now();
  let reportedAt = started;
  let named = 0;
  const done = await rebuildStates(data, {
    ...options,
    onProgress(progress) {
      if (performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      process.stderr.write(`${clearLine()}${toText(progress, reportedAt - started)}`);
      if (!process.stderr.isTTY) process.stderr.write("\n");
    },
    onDifference({ projectId, token, identifier }) {
      named += 1;
      if (named <= NAMED_MAX)
        console.log(`${clearLine()}differs: project ${projectId}, ${identifier}, token ${token}`);
      if (named === NAMED_MAX + 1) console.log("… further differences are only counted");
    },
  });
  process.stderr.write(clearLine());
  console.log(toText(done, performance.now() - started));
  if (done.differences === 0) console.log("All states match their records.");
  else if (!options.isCheck) console.log("The states are corrected.");
  return done.differences;
}

function clearLine(): string {
  return process.stderr.isTTY ? "\r\u001b[K" : "";
}

function toText({ records, tokens, differences }: Readonly<RebuildProgress>, ms: number): string {
  const rate = Math.round(records / Math.max(ms / 1_000, 0.001));
  return `${count(records, "record")} of ${count(tokens, "token")} read (${rate.toLocaleString("en")}/s), ${count(differences, "difference")}`;
}

function count(n: number, what: string, several = `${what}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? what : several}`;
}
