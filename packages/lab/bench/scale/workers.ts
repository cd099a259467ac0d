// npm run bench:workers: rate of collection, response times and processor time with one process and with several.
import { toTable } from "../../instance/table.ts";
import { readNumbers } from "../measure/arguments.ts";
import { openDatabases } from "../measure/database.ts";
import { type Measure, type Scenario, measure } from "../measure/load.ts";
import { listBackends, listChildren, readProcessorSeconds } from "../measure/processor.ts";
import {
  printFailures,
  readFacts,
  right,
  spreadOf,
  toMs,
  toRate,
  toRatio,
} from "../measure/report.ts";
import { NAME, countNames, newRun, repeat } from "../measure/requests.ts";
import { type Bench, runBench } from "../measure/run.ts";
import { openAvow } from "../measure/service.ts";
import { setUpShop } from "../measure/site.ts";

const help = `Usage: npm run bench:workers -- [--workers N] [--seconds S] [--rounds R] [--connections C]

Measures the rate of collecting consents with one process, and with N processes on one port (WORKERS=N),
in alternation, each on a database of its own in the same PostgreSQL. Reports the processor time of
each process. The load, PostgreSQL and the processes share this machine: rates can only grow with
processors that are idle otherwise.

  --workers N       number of processes that one is compared with (default: 2)
  --seconds S       duration of each measurement in a round (default: 4)
  --rounds R        rounds (default: 5)
  --connections C   concurrent connections (default: 64)
  -h, --help        print this text
`;
const options = {
  workers: { default: 2, min: 2, max: 64 },
  seconds: { default: 4, min: 1, max: 3_600 },
  rounds: { default: 5, min: 1, max: 1_000 },
  connections: { default: 64, min: 1, max: 1_000 },
};

/** Database connections of a process of the service by its default settings, and of everything else. */
const CONNECTIONS_OF_PROCESS = 20;
const CONNECTIONS_BESIDE = 20;

interface Round extends Measure {
  /** Processor time of a consent in µs: of the first process of the service, of its workers, and of PostgreSQL. */
  cost: { main: number; workers: number[]; database: number };
}

const args = process.argv.slice(2);
const parsed = readNumbers({ args, command: "bench:workers", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(
  { folder, opened }: Bench,
  given: Record<keyof typeof options, number>,
): Promise<number> {
  const connectionsMax = CONNECTIONS_OF_PROCESS * (given.workers + 1) + CONNECTIONS_BESIDE;
  const databases = opened.use(await openDatabases(folder, connectionsMax));
  const variants: { scenario: Scenario; pid: number; databaseUrl: string; rounds: Round[] }[] = [];
  for (const workers of [1, given.workers]) {
    const databaseUrl = await databases.create(`bench_workers_${workers}`);
    const settings = { WORKERS: String(workers) };
    const avow = opened.use(await openAvow(`${folder}/${workers}`, databaseUrl, settings));
    const site = await setUpShop(avow.url);
    const url = `${avow.url}/v1/app/consents/${site.projectId}/cookies/${site.identifier}`;
    const headers = { "idempotency-key": NAME };
    const requests = site.consents.map((json) => ({ method: "POST", url, headers, json }) as const);
    const next = repeat(requests, countNames(newRun()));
    const { connections } = given;
    const scenario = { title: `WORKERS=${workers}`, url, next, status: 201, connections };
    variants.push({ scenario, pid: avow.pid, databaseUrl, rounds: [] });
  }
  for (let round = 0; round < given.rounds; round += 1)
    for (const { scenario, pid, databaseUrl, rounds } of variants) {
      const workers = await listChildren(pid);
      const backends = await listBackends(databaseUrl);
      const before = await readProcessorSeconds([pid, ...workers, ...backends]);
      const measured = await measure(scenario, given.seconds);
      const after = await readProcessorSeconds([pid, ...workers, ...backends]);
      const costOf = (id: number): number =>
        (((after.get(id) ?? 0) - (before.get(id) ?? 0)) * 1e6) / measured.answered;
      const database = backends.reduce((sum, id) => sum + costOf(id), 0);
      rounds.push({
        ...measured,
        cost: { main: costOf(pid), workers: workers.map(costOf), database },
      });
    }
  const base = variants[0]?.rounds ?? [];
  const rows = variants.map(({ scenario, rounds }) => {
    const median = (toNumber: (round: Round) => number): number =>
      spreadOf(rounds.map(toNumber)).median;
    const ratios = rounds.map(
      (round, at) => round.requestsPerSecond / (base[at]?.requestsPerSecond ?? Number.NaN),
    );
    const workers = rounds[0]?.cost.workers ?? [];
    return [
      scenario.title,
      toRate(median((round) => round.requestsPerSecond)),
      toRatio(spreadOf(ratios).median),
      toMs(median((round) => round.p50Ms)),
      toMs(median((round) => round.p99Ms)),
      toRate(median((round) => round.cost.main)),
      workers.map((_, at) => toRate(median((round) => round.cost.workers[at] ?? 0))).join(" + "),
      toRate(median((round) => round.cost.database)),
    ];
  });
  const head = [
    "consents/s",
    "of the first",
    "p50 ms",
    "p99 ms",
    "µs: process",
    "workers",
    "PostgreSQL",
  ];
  console.log(
    `\n${toTable([{ title: "" }, ...head.map(right)], rows)}\n\n  ${await readFacts()}\n`,
  );
  return printFailures(variants.flatMap(({ rounds }) => rounds)) ? 1 : 0;
}
