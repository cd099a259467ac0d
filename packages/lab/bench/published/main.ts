// npm run bench:published: rate of reading a published file, compared with a bare server of Node.
import { join } from "node:path";
import { paths } from "@avow/contract/urls";
import { toTable } from "../../instance/table.ts";
import { type CostMeasure, beforeHelp, measureCost, openBefore } from "../before/service.ts";
import { readNumbers } from "../measure/arguments.ts";
import { openChild } from "../measure/children.ts";
import { openDatabases } from "../measure/database.ts";
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
import { repeat } from "../measure/requests.ts";
import { type Bench, runBench } from "../measure/run.ts";
import { type BenchService, openAvow } from "../measure/service.ts";
import { setUpShop } from "../measure/site.ts";

const help = `Usage: npm run bench:published -- [--before COMMIT] [--seconds N] [--rounds R] [--connections C]

Measures the rate of reading the published file of a shop as gzip, and of 304 answers to clients that have
it, in alternation with a bare server of Node that answers with the same bytes and headers from memory.
Stops every process and removes every file at the end.

${beforeHelp}
  --seconds N       duration of each measurement in a round, after a warm-up of 1 s (default: 2)
  --rounds R        rounds (default: 5)
  --connections C   concurrent connections (default: 64)
  -h, --help        print this text
`;
const options = {
  seconds: { default: 2, min: 1, max: 3_600 },
  rounds: { default: 5, min: 1, max: 1_000 },
  connections: { default: 64, min: 1, max: 1_000 },
};
type Options = Record<keyof typeof options, number> & Record<"before", string | undefined>;

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:published",
  help,
  options,
  texts: ["before"],
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

interface Party {
  pid: number;
  databaseUrl: string;
  scenario: Scenario;
  measures: CostMeasure[];
}

async function main(bench: Bench, given: Options): Promise<number> {
  const { folder, opened } = bench;
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create("bench_published");
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const file = await publishFile(avow);
  const env = { ...process.env, SOURCE: file };
  const bare = opened.use(await openChild(join(import.meta.dirname, "bare.ts"), { env }));
  const services = [{ title: "bare server of Node", url: bare.url, pid: bare.pid, databaseUrl }];
  if (given.before !== undefined) {
    const ownUrl = await databases.create("bench_before");
    const service = await openBefore(bench, { commit: given.before, databaseUrl: ownUrl });
    const url = await publishFile(service);
    services.push({
      title: `before (${given.before})`,
      url,
      pid: service.pid,
      databaseUrl: ownUrl,
    });
  }
  services.push({ title: "this checkout", url: file, pid: avow.pid, databaseUrl });
  const parties: Party[] = [];
  for (const { title, url, ...party } of services) {
    const etag = (await fetch(url, { headers: { "accept-encoding": "gzip" } })).headers.get("etag");
    const known = { "if-none-match": etag ?? "" };
    for (const [status, more] of [[200, {}] as const, [304, known] as const]) {
      const request = {
        method: "GET",
        url,
        headers: { "accept-encoding": "gzip", ...more },
      } as const;
      const next = repeat([request], () => "");
      const { connections } = given;
      const scenario = { title: `${title}, ${status}`, url, next, status, connections };
      parties.push({ ...party, scenario, measures: [] });
    }
  }
  for (let round = 1; round <= given.rounds; round += 1)
    for (const { scenario, measures, ...party } of round % 2 === 1
      ? parties
      : parties.toReversed()) {
      process.stderr.write(`  round ${round} of ${given.rounds}: ${scenario.title} …\n`);
      measures.push(await measureCost(scenario, { seconds: given.seconds, ...party }));
    }
  console.log(`\n${toResultTable(parties)}\n\n  ${await readFacts()}`);
  console.log(
    `  ${given.connections} connections; medians of ${given.rounds} rounds of ${given.seconds} s; the load shares the cores.\n`,
  );
  return printFailures(parties.flatMap(({ measures }) => measures)) ? 1 : 0;
}

/** Publishes a shop on a service. Returns the address of its file. */
async function publishFile({ url }: BenchService): Promise<string> {
  const { projectId } = await setUpShop(url);
  return `${url}${paths.cdn}${projectId}.json`;
}

function toResultTable(parties: readonly Party[]): string {
  const rows = parties.map(({ scenario, measures }) => {
    // The bare server with the same status.
    const bare = parties.find((one) => one.scenario.status === scenario.status)?.measures ?? [];
    const middle = (valueOf: (one: CostMeasure, round: number) => number) =>
      spreadOf(measures.map(valueOf)).median;
    const ratioOf = (valueOf: (one: CostMeasure) => number) =>
      toRatio(
        middle((one, round) => {
          const other = bare[round];
          return other ? valueOf(one) / valueOf(other) : Number.NaN;
        }),
      );
    return [
      scenario.title,
      toRate(middle((one) => one.requestsPerSecond)),
      toMs(middle((one) => one.p99Ms)),
      middle((one) => one.nodeMicroseconds).toFixed(0),
      ratioOf((one) => one.requestsPerSecond),
      ratioOf((one) => one.nodeMicroseconds),
    ];
  });
  const titles = ["Requests/s", "p99 ms", "Node, µs each", "Rate / bare", "Node’s time / bare"];
  return toTable([{ title: "Server, status" }, ...titles.map(right)], rows);
}
