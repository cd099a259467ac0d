// npm run bench:telemetry: what traces cost, in the rate of collection and in the time of a start.
import { createServer } from "node:http";
import { once } from "node:events";
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openDatabases } from "./measure/database.ts";
import { type Measure, type Scenario, measure } from "./measure/load.ts";
import { printFailures, readFacts, right, spreadOf, toRate, toRatio } from "./measure/report.ts";
import { NAME, countNames, newRun, repeat } from "./measure/requests.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { setUpShop } from "./measure/site.ts";

const help = `Usage: npm run bench:telemetry -- [--seconds N] [--rounds R] [--connections C]

Measures the rate of collecting consents without traces, with one trace in a hundred, and with all of
them, in alternation and on the same PostgreSQL, and the times of starts. The receiver of the traces is
a process's own server that discards them.

  --seconds N       duration of each measurement in a round (default: 4)
  --rounds R        rounds (default: 3)
  --connections C   concurrent connections (default: 64)
  -h, --help        print this text
`;
const options = {
  seconds: { default: 4, min: 1, max: 3_600 },
  rounds: { default: 3, min: 1, max: 1_000 },
  connections: { default: 64, min: 1, max: 1_000 },
};
const PERCENT = {
  OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  OTEL_TRACES_SAMPLER_ARG: "0.01",
};

const args = process.argv.slice(2);
const parsed = readNumbers({ args, command: "bench:telemetry", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main(
  { folder, opened }: Bench,
  given: Record<keyof typeof options, number>,
): Promise<number> {
  const databases = opened.use(await openDatabases(folder));
  const endpoint = await openDiscard(opened);
  const on = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint };
  const variants = {
    "Without traces": {},
    "One in a hundred": { ...on, ...PERCENT },
    "All traces": on,
  };
  const scenarios: Scenario[] = [];
  const entries = Object.entries(variants);
  const urls = await Promise.all(entries.map((_, at) => databases.create(`bench_telemetry_${at}`)));
  const starts: number[][] = entries.map(() => []);
  const start = (at: number) => openAvow(`${folder}/${at}`, urls[at], entries[at]?.[1]);
  // One start more than the rounds: the first migrates the database.
  for (let round = 0; round <= given.rounds; round += 1)
    for (const [at, times] of starts.entries()) {
      const startMs = performance.now();
      const avow = await start(at);
      if (round > 0) times.push(performance.now() - startMs);
      await avow[Symbol.asyncDispose]();
    }
  for (const [at, [title]] of entries.entries()) {
    const avow = opened.use(await start(at));
    const site = await setUpShop(avow.url);
    const url = `${avow.url}/v1/app/consents/${site.projectId}/cookies/${site.identifier}`;
    const headers = { "idempotency-key": NAME };
    const requests = site.consents.map((json) => ({ method: "POST", url, headers, json }) as const);
    const next = repeat(requests, countNames(newRun()));
    scenarios.push({ title, url, next, status: 201, connections: given.connections });
  }
  const measures: Measure[] = [];
  for (let round = 0; round < given.rounds; round += 1)
    for (const scenario of scenarios) measures.push(await measure(scenario, given.seconds));
  const ratesOf = (scenario: Scenario | undefined) =>
    measures.flatMap((one) => (one.scenario === scenario ? [one.requestsPerSecond] : []));
  const base = ratesOf(scenarios[0]);
  const rows = scenarios.map((scenario, at) => {
    const rates = ratesOf(scenario);
    const ratios = rates.map((rate, round) => rate / (base[round] ?? Number.NaN));
    return [
      scenario.title,
      toRate(spreadOf(rates).median),
      toRatio(spreadOf(ratios).median),
      `${Math.round(spreadOf(starts[at] ?? []).median)} ms`,
    ];
  });
  const head = [{ title: "" }, right("consents/s"), right("of the first"), right("start")];
  console.log(`\n${toTable(head, rows)}\n\n  ${await readFacts()}\n`);
  return printFailures(measures) ? 1 : 0;
}

/** A receiver that discards what it gets. */
async function openDiscard(opened: AsyncDisposableStack): Promise<string> {
  const server = createServer((req, res) => {
    req.resume().once("end", () => res.end("{}"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  opened.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("no port");
  return `http://127.0.0.1:${address.port}/v1/traces`;
}
