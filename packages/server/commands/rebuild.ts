// npm run rebuild: makes the states of all tokens from their records again, or checks them.
import { parseArgs } from "node:util";
import { pino } from "pino";
import { loadConfig } from "../config/config.ts";
import { type RebuildProgress, rebuildStates } from "../modules/consents/erase/rebuild.ts";
import { recountAnswers } from "../modules/consents/stats/tally.ts";
import { findLogSize, listPlacedConsents } from "../modules/evidence/log/placed.ts";
import { openDatabase } from "../platform/db/open.ts";
import { openAddress } from "@avow/postgres/address";
import { documentIdPattern } from "../kernel/ids.ts";
import { UsageError, explain } from "./operator.ts";

const help = `Makes the state of every token, and what it was at any instant, from its records again.

Usage: npm run rebuild [-- [--check] [--project ID] [--statistics]]

  --check       tells what differs and changes nothing; exit status 1 when something does
  --project ID  one project alone
  --statistics  the numbers of answers that statistics show, in place of states; what was erased
                since is not counted again, and displays, which no record tells, stay as they are
  -h, --help    this text

Works on DATABASE_URL, or else on the embedded database in DATA_DIR (default ./data), whether the
service is running or not. Consents are collected meanwhile. It may be stopped and run again.`;
/** So many differences are named; all are counted. */
const NAMED_MAX = 20;
const PROGRESS_MS = 1_000;

const log = pino({ level: "warn" }, pino.destination({ fd: 2, sync: true }));

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        check: { type: "boolean", default: false },
        project: { type: "string" },
        statistics: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(help);
      return 0;
    }
    const { project, check, statistics } = values;
    if (project !== undefined && !documentIdPattern.test(project))
      throw new UsageError(`${project} is not an id: 24 lower-case hexadecimal characters.`);
    const { config, secrets } = loadConfig();
    await using database = await openAddress({ ...config, ...secrets, log });
    const options = { projectId: project, isCheck: check };
    return await (statistics ? recount : rebuild)(database.url, options);
  } catch (error) {
    return explain(error, "rebuild");
  }
}

interface Options {
  projectId: string | undefined;
  isCheck: boolean;
}

/** Counts the answers of all records again. */
async function recount(url: string, options: Options): Promise<number> {
  const db = openDatabase({ url, poolMax: 2, queueMax: 10, log });
  try {
    const placed = { findLogSize, listPlacedConsents };
    let told = performance.now();
    const { entries, differences } = await recountAnswers(
      { db, ...placed },
      {
        ...options,
        onProgress({ entries: done, of }) {
          if (performance.now() - told < PROGRESS_MS) return;
          told = performance.now();
          process.stderr.write(
            `${clearLine()}${done.toLocaleString("en")} of ${count(of, "log entry", "log entries")} read`,
          );
          if (!process.stderr.isTTY) process.stderr.write("\n");
        },
      },
    );
    process.stderr.write(clearLine());
    console.log(
      `${count(entries, "log entry", "log entries")} read, ${count(differences, "difference")}`,
    );
    if (differences > 0 && !options.isCheck) console.log("They are counted again.");
    return options.isCheck && differences > 0 ? 1 : 0;
  } finally {
    await db.destroy();
  }
}

async function rebuild(url: string, options: Options): Promise<number> {
  const db = openDatabase({ url, poolMax: 2, queueMax: 10, log });
  const started = performance.now();
  let told = started;
  let named = 0;
  try {
    const done = await rebuildStates(db, {
      ...options,
      onProgress(progress) {
        if (performance.now() - told < PROGRESS_MS) return;
        told = performance.now();
        process.stderr.write(`${clearLine()}${toText(progress, told - started)}`);
        if (!process.stderr.isTTY) process.stderr.write("\n");
      },
      onDifference({ projectId, token, identifier }) {
        named += 1;
        if (named <= NAMED_MAX)
          console.log(`${clearLine()}differs: project ${projectId}, ${identifier}, token ${token}`);
        if (named === NAMED_MAX + 1) console.log("… further ones are counted only");
      },
    });
    process.stderr.write(clearLine());
    console.log(toText(done, performance.now() - started));
    if (done.differences === 0) console.log("Every state follows from its records.");
    else if (!options.isCheck) console.log("They are made again.");
    return options.isCheck && done.differences > 0 ? 1 : 0;
  } finally {
    await db.destroy();
  }
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
