// npm run bench:counting: cost of statistics for collection and display tickets.
import { Client } from "pg";
import { toTable } from "../instance/table.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { readNumbers } from "./measure/arguments.ts";
import { openDatabases } from "./measure/database.ts";
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
import { setUpShop } from "./measure/site.ts";

const help = `Usage: npm run bench:counting -- [--seconds N] [--rounds R] [--connections C]

Collects consents, and requests display tickets, in alternation with and without counting them for
statistics, on one service. Answers are counted in the background, which is paused by locking the row
of its position; the answers of the pause are skipped. Tickets are counted if they name a display.
Reports the ratio within each round. Stops every process and removes every file at the end.

  --seconds N       duration of each measurement in a round (default: 5)
  --rounds R        rounds (default: 5)
  --connections C   concurrent connections (default: 64)
  -h, --help        print this text
`;
const options = {
  seconds: { default: 5, min: 1, max: 3_600 },
  rounds: { default: 5, min: 1, max: 1_000 },
  connections: { default: 64, min: 1, max: 1_000 },
};

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:counting",
  help,
  options,
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

type Options = Record<keyof typeof options, number>;

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create("bench_counting");
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const site = await setUpShop(avow.url);
  const { projectId, identifier } = site;
  const { connections } = given;
  const url = `${avow.url}/v1/app/consents/${projectId}/cookies/${identifier}`;
  const headers = { "idempotency-key": NAME };
  const consents = site.consents.map((json) => ({ method: "POST", headers, url, json }) as const);
  const next = repeat(consents, countNames(newRun()));
  const collect: Scenario = { title: "collect", url, next, status: 201, connections };
  const toTicket = (query: Record<string, string>): Scenario => {
    const at = avow.url + hrefOf("", paths.tickets, { projectId }, query);
    const request = { method: "POST", url: at } as const;
    return {
      title: "display ticket",
      url: at,
      next: repeat([request], () => ""),
      status: 200,
      connections,
    };
  };
  const silent = toTicket({});
  const counted = toTicket({ identifier, step: "welcome" });
  const pairs: Pair[] = [
    { title: "collect", on: [], off: [] },
    { title: "display ticket", on: [], off: [] },
  ];
  const [consentPair, ticketPair] = pairs;
  for (let round = 1; round <= given.rounds; round += 1) {
    process.stderr.write(`  round ${round} of ${given.rounds} …\n`);
    {
      await using _held = await holdCounting(databaseUrl);
      consentPair?.off.push(await measure(collect, given.seconds));
    }
    consentPair?.on.push(await measure(collect, given.seconds));
    ticketPair?.off.push(await measure(silent, given.seconds));
    ticketPair?.on.push(await measure(counted, given.seconds));
  }
  console.log(`\n${toResultTable(pairs)}\n\n  ${facts}\n`);
  return printFailures(pairs.flatMap(({ on, off }) => [...on, ...off])) ? 1 : 0;
}

interface Pair {
  title: string;
  on: Measure[];
  off: Measure[];
}

/** Pauses the counting of answers until disposal; answers during the pause are never counted. */
async function holdCounting(databaseUrl: string): Promise<AsyncDisposable> {
  const client = new Client({ connectionString: databaseUrl, application_name: "bench" });
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT leaf FROM answer_counts_head WHERE id = 1 FOR UPDATE");
  return {
    async [Symbol.asyncDispose]() {
      await client.query(
        "UPDATE answer_counts_head SET leaf = greatest(leaf, (SELECT coalesce(max(size), 0) FROM log_heads))",
      );
      await client.query("COMMIT");
      await client.end();
    },
  };
}

function middleOf(all: readonly Measure[], what: "requestsPerSecond" | "p99Ms"): number {
  return spreadOf(all.map((one) => one[what])).median;
}

function toResultTable(pairs: readonly Pair[]): string {
  const rows = pairs.map(({ title, on, off }) => {
    const ratio = spreadOf(
      on.map((one, at) => one.requestsPerSecond / (off[at]?.requestsPerSecond ?? Number.NaN)),
    );
    return [
      title,
      ...[on, off].map((all) => toRate(middleOf(all, "requestsPerSecond"))),
      ...[on, off].map((all) => toMs(middleOf(all, "p99Ms"))),
      `${toRatio(ratio.median)} (${toRatio(ratio.min)}–${toRatio(ratio.max)})`,
    ];
  });
  const titles = ["Counted/s", "Not counted/s", "p99 ms", "p99 ms, not counted", "Ratio"];
  return toTable([{ title: "Operation" }, ...titles.map(right)], rows);
}
