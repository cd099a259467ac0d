// npm run bench:collect: rate of durable collection, compared with a bare route and a plain INSERT.
import { join } from "node:path";
import { toTable } from "../instance/table.ts";
import { type CostMeasure, beforeHelp, measureCost, openBefore } from "./before/service.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openChild } from "./measure/children.ts";
import { type Databases, openDatabases } from "./measure/database.ts";
import { type Measure, type Scenario, measure } from "./measure/load.ts";
import {
  readFacts,
  right,
  spreadOf,
  printFailures,
  toMs,
  toRate,
  toRatio,
} from "./measure/report.ts";
import { NAME, countNames, newRun, repeat } from "./measure/requests.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { type Site, setUpShop } from "./measure/site.ts";
import { measureSteadily } from "./measure/steady.ts";
import { assertStored } from "./measure/stored.ts";

const keyed = { method: "POST", headers: { "idempotency-key": NAME } } as const;
const help = `Usage: npm run bench:collect -- [--before COMMIT] [--seconds N] [--rounds R] [--connections C]
                                [--minutes M]

Measures the rate of collecting consents, each of a new visitor, with six vendors and an
Idempotency-Key, on PostgreSQL with production durability, in alternation with three others that
accept the same requests: a bare Fastify route that only validates them, Avow's own route with its
whole HTTP layer, which stores nothing, and a bare route that inserts one row each. Then collects for
M minutes and reports the memory, and the delay of consents until they are in the log. Finally checks
that every consent with a 201 is stored once. Stops every process and removes every file at the end.

${beforeHelp}
  --seconds N       duration of each measurement in a round (default: 4)
  --rounds R        rounds (default: 3)
  --connections C   concurrent connections (default: 64)
  --minutes M       duration of watching memory (default: 0.5)
  -h, --help        print this text
`;
const options = {
  seconds: { default: 4, min: 1, max: 3_600 },
  rounds: { default: 3, min: 1, max: 1_000 },
  connections: { default: 64, min: 1, max: 1_000 },
  minutes: { default: 0.5, min: 0, max: 1_440, fraction: true },
};

type Options = Record<keyof typeof options, number> & Record<"before", string | undefined>;

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:collect",
  help,
  options,
  texts: ["before"],
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(bench: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const { databases, avow, databaseUrl, bareUrl, insertUrl } = await openServers(bench);
  const site = await setUpShop(avow.url);
  const edge = bench.opened.use(await openEdge(site));
  const run = newRun();
  const url = `${avow.url}/v1/app/consents/${site.projectId}/cookies/${site.identifier}`;
  const toScenario = (title: string, to: string, names = newRun()): Scenario => ({
    title,
    url: to,
    next: repeat(
      site.consents.map((json) => ({ ...keyed, url: to, json })),
      countNames(names),
    ),
    status: 201,
    connections: given.connections,
  });
  const collect = toScenario("Avow", url, run);
  const rivals = [
    toScenario("Validate only, bare", `${bareUrl}/consents`),
    toScenario("Validate only, Avow", url.replace(avow.url, edge.url)),
    toScenario("One INSERT each, bare", `${insertUrl}/consents`),
  ].map((scenario) => ({ scenario, service: undefined }));
  const parties: Party[] = [
    ...rivals,
    ...(given.before === undefined ? [] : [await openEarlier(bench, databases, given)]),
    { scenario: collect, service: { pid: avow.pid, databaseUrl } },
  ];
  const measures = await measureRounds(parties, given);
  const scenarios = parties.map(({ scenario }) => scenario);
  console.log(`\n${toResultTable(scenarios, measures)}\n\n  ${facts}`);
  for (const scenario of scenarios) printCosts(scenario, measures);
  console.log(`  ${toNotes(given, site, measures)}\n`);
  measures.push(
    ...(await measureSteadily(collect, { pid: avow.pid, minutes: given.minutes, databaseUrl })),
  );
  const failed = printFailures(measures);
  const ours = measures.filter(({ scenario }) => scenario === collect);
  console.log(`  ${await assertStored({ databaseUrl, site, measures: ours, run, url })}\n`);
  return failed ? 1 : 0;
}

async function openServers({ folder, opened }: Bench) {
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create("bench_avow");
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const env = { ...process.env, DATABASE_URL: await databases.create("bench_insert") };
  const { dirname } = import.meta;
  const insert = opened.use(await openChild(join(dirname, "rivals", "insert.ts"), { env }));
  const bare = opened.use(await openChild(join(dirname, "rivals", "bare.ts")));
  return { databases, avow, databaseUrl, insertUrl: insert.url, bareUrl: bare.url };
}

/** A measured route; `service` if its processor time is measured. */
interface Party {
  scenario: Scenario;
  service: { pid: number; databaseUrl: string } | undefined;
}

/** The service of an earlier commit, with its own database. */
async function openEarlier(
  bench: Bench,
  databases: Databases,
  { before = "", connections }: Options,
): Promise<Party> {
  const databaseUrl = await databases.create("bench_before");
  const { url: base, pid } = await openBefore(bench, { commit: before, databaseUrl });
  const { consents, projectId, identifier } = await setUpShop(base);
  const url = `${base}/v1/app/consents/${projectId}/cookies/${identifier}`;
  const requests = consents.map((json) => ({ ...keyed, url, json }));
  const next = repeat(requests, countNames(newRun()));
  const title = `Avow before (${before})`;
  return {
    scenario: { title, url, next, status: 201, connections },
    service: { pid, databaseUrl },
  };
}

async function openEdge({ consents }: Site) {
  const slugs = Object.keys(consents[0]?.preferences.vendors ?? {});
  const env = { ...process.env, VENDORS: JSON.stringify(slugs) };
  return openChild(join(import.meta.dirname, "rivals", "edge.ts"), { env });
}

/** Measures in alternation, so that disturbances of the machine affect all alike. */
async function measureRounds(
  parties: readonly Party[],
  { rounds, seconds }: Options,
): Promise<(Measure | CostMeasure)[]> {
  const measures: (Measure | CostMeasure)[] = [];
  for (let round = 1; round <= rounds; round++)
    for (const { scenario, service } of parties) {
      process.stderr.write(`  round ${round} of ${rounds}: ${scenario.title} …\n`);
      measures.push(
        await (service
          ? measureCost(scenario, { seconds, ...service })
          : measure(scenario, seconds)),
      );
    }
  return measures;
}

/** Prints the processor time of a consent, if it was measured. */
function printCosts(scenario: Scenario, measures: readonly (Measure | CostMeasure)[]): void {
  const own = measures.filter((one) => one.scenario === scenario && "nodeMicroseconds" in one);
  const costs = own as readonly CostMeasure[];
  if (costs.length === 0) return;
  const node = spreadOf(costs.map(({ nodeMicroseconds }) => nodeMicroseconds)).median;
  const postgres = spreadOf(costs.map(({ postgresMicroseconds }) => postgresMicroseconds)).median;
  console.log(
    `  ${scenario.title}: ${node.toFixed(0)} µs of Node and ${postgres.toFixed(0)} µs of PostgreSQL for each consent.`,
  );
}

function toResultTable(scenarios: readonly Scenario[], measures: readonly Measure[]): string {
  const rounds = scenarios.map((one) => measures.filter(({ scenario }) => scenario === one));
  const rates = rounds.map((own) => own.map(({ requestsPerSecond }) => requestsPerSecond));
  /** The median of the ratios of the rounds. */
  const ratioTo = (at: number, to: number): string => {
    const own = rates[at] ?? [];
    return toRatio(
      spreadOf(own.map((rate, round) => rate / (rates[to]?.[round] ?? Number.NaN))).median,
    );
  };
  const rows = scenarios.map(({ title }, at) => {
    const { min, median, max } = spreadOf(rates[at] ?? []);
    const own = rounds[at] ?? [];
    const p50 = spreadOf(own.map(({ p50Ms }) => p50Ms)).median;
    const p99 = spreadOf(own.map(({ p99Ms }) => p99Ms));
    const failed = own.reduce((sum, { failures }) => sum + failures, 0);
    return [
      title,
      ...[min, median, max].map(toRate),
      ...[p50, p99.median, p99.max].map(toMs),
      ...[0, 1, 2].map((to) => ratioTo(at, to)),
      String(failed),
    ];
  });
  const titles = ["Requests/s: min", "median", "max", "p50 ms", "p99 ms", "worst p99"];
  const more = ["Ratio to bare", "Ratio to Avow’s HTTP layer", "Ratio to INSERT", "Failed"];
  return toTable([{ title: "Route" }, ...[...titles, ...more].map(right)], rows);
}

function toNotes(given: Options, { consents }: Site, measures: readonly Measure[]): string {
  const vendors = Object.keys(consents[0]?.preferences.vendors ?? {}).length;
  const load = spreadOf(measures.map(({ loadMicroseconds }) => loadMicroseconds)).median;
  return [
    `${given.connections} connections, ${given.rounds} rounds of ${given.seconds} s after a warm-up of 1 s each; ratios are the median of the rounds.`,
    `Every request: a new visitor, ${vendors} vendors, a new Idempotency-Key. One process each; fsync on; pools of 10; Avow has default settings.`,
    `The load shares the cores: ${load.toFixed(0)} µs of processor time for each request.`,
  ].join("\n  ");
}
