// npm run bench:state: rate of reading a token's state, compared with an earlier commit.
import { access } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createClient } from "../../instance/requests.ts";
import { toTable } from "../../instance/table.ts";
import { type CostMeasure, beforeHelp, measureCost, openBefore } from "../before/service.ts";
import { readNumbers } from "../measure/arguments.ts";
import { ask, openDatabases } from "../measure/database.ts";
import type { Scenario } from "../measure/load.ts";
import {
  printFailures,
  readFacts,
  right,
  spreadOf,
  toMs,
  toRate,
  toRatio,
} from "../measure/report.ts";
import { NAME, repeat } from "../measure/requests.ts";
import { type Bench, runBench } from "../measure/run.ts";
import { openAvow } from "../measure/service.ts";
import { DATABASE, type FilledDatabase, growTo, readDatabase, setUp, vacuum } from "./stages.ts";
import { toConsentsUrl } from "./targets.ts";

const PROJECTS = 10;
const TOKENS = 20_000;

const help = `Usage: npm run bench:state -- [--before COMMIT] [--data FOLDER] [--consents N] [--seconds N]
                              [--rounds R] [--connections C]

Fills a database with N generated consents, and measures there the state of random tokens of the
largest project, each with one record of its history, by a session of its owner. PostgreSQL has
production durability. Stops every process and removes every file at the end, except --data.

${beforeHelp}
  --data FOLDER     keep the filled database in this folder, or use the one that is there
  --consents N      stored consents (default: 1000000)
  --seconds N       duration of each measurement in a round, after a warm-up of 1 s (default: 4)
  --rounds R        rounds (default: 5)
  --connections C   concurrent connections (default: 32)
  -h, --help        print this text
`;
const options = {
  consents: { default: 1_000_000, min: 0, max: 200_000_000 },
  seconds: { default: 4, min: 1, max: 3_600 },
  rounds: { default: 5, min: 1, max: 1_000 },
  connections: { default: 32, min: 1, max: 1_000 },
};
type Options = Record<keyof typeof options, number> & Record<"before" | "data", string | undefined>;

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:state",
  help,
  options,
  texts: ["before", "data"],
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(bench: Bench, given: Options): Promise<number> {
  const folder = given.data === undefined ? join(bench.folder, "state") : resolve(given.data);
  const filled = await openFilled(folder, given.consents);
  const databases = bench.opened.use(await openDatabases(folder));
  const databaseUrl = databases.toUrl(DATABASE);
  const [project] = filled.projects;
  if (!project) throw new Error("The database has no project.");
  const rows = await ask<{ token: string }>(
    databaseUrl,
    "SELECT token FROM consent_states WHERE project_id = $1 ORDER BY random() LIMIT $2",
    [project.id, TOKENS],
  );
  const tokens = rows.map(({ token }) => token);
  const pickToken = () => tokens[Math.floor(Math.random() * tokens.length)] ?? "";
  const services = [
    ...(given.before === undefined
      ? []
      : [
          {
            title: `before (${given.before})`,
            ...(await openBefore(bench, { commit: given.before, databaseUrl })),
          },
        ]),
    { title: "this checkout", ...bench.opened.use(await openAvow(folder, databaseUrl)) },
  ];
  const parties: Party[] = [];
  for (const { title, url: base, pid } of services) {
    const json = { username: filled.account.email, password: filled.account.password };
    const { token } = await createClient(base).send<{ token: string }>("/v1/auth/local/signin", {
      json,
    });
    const headers = { authorization: `Bearer ${token}` };
    const url = toConsentsUrl(base, { projectId: project.id, token: NAME, limit: 1 });
    const next = repeat([{ method: "GET", url, headers }], pickToken);
    const { connections } = given;
    parties.push({
      pid,
      scenario: { title, url: base, next, status: 200, connections },
      measures: [],
    });
  }
  for (let round = 1; round <= given.rounds; round += 1)
    for (const { pid, scenario, measures } of round % 2 === 1 ? parties : parties.toReversed()) {
      process.stderr.write(`  round ${round} of ${given.rounds}: ${scenario.title} …\n`);
      measures.push(await measureCost(scenario, { seconds: given.seconds, pid, databaseUrl }));
    }
  console.log(`\n${toResultTable(parties)}\n\n  ${await readFacts()}`);
  console.log(
    `  ${filled.size.toLocaleString("en")} consents; ${given.connections} connections; medians of ${given.rounds} rounds of ${given.seconds} s; the load shares the cores.\n`,
  );
  return printFailures(parties.flatMap(({ measures }) => measures)) ? 1 : 0;
}

interface Party {
  pid: number;
  scenario: Scenario;
  measures: CostMeasure[];
}

/** Fills the database in `folder`, unless it is filled already. */
async function openFilled(folder: string, consents: number): Promise<FilledDatabase> {
  const isFilled = await access(join(folder, "filled.json")).then(
    () => true,
    () => false,
  );
  const filled = isFilled
    ? await readDatabase(folder)
    : await setUp(folder, { projects: PROJECTS });
  if (filled.size >= consents) return filled;
  const grown = await growTo(folder, filled, consents);
  await vacuum(folder);
  return grown;
}

function toResultTable(parties: readonly Party[]): string {
  const rates = parties.map(({ measures }) => measures.map((one) => one.requestsPerSecond));
  const rows = parties.map(({ scenario, measures }, at) => {
    const middle = (valueOf: (one: CostMeasure) => number) =>
      spreadOf(measures.map(valueOf)).median;
    const ratios = (rates[at] ?? []).map((rate, round) => rate / (rates[0]?.[round] ?? Number.NaN));
    return [
      scenario.title,
      toRate(middle((one) => one.requestsPerSecond)),
      toMs(middle((one) => one.p50Ms)),
      toMs(middle((one) => one.p99Ms)),
      middle((one) => one.nodeMicroseconds).toFixed(0),
      middle((one) => one.postgresMicroseconds).toFixed(0),
      toRatio(spreadOf(ratios).median),
    ];
  });
  const titles = [
    "Requests/s",
    "p50 ms",
    "p99 ms",
    "Node, µs each",
    "PostgreSQL, µs each",
    "Ratio",
  ];
  return toTable([{ title: "Service" }, ...titles.map(right)], rows);
}
