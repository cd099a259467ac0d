// npm run bench:stats: latency of the statistics of a project with millions of consents.
import { toTable } from "../instance/table.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { readNumbers } from "./measure/arguments.ts";
import { ask, openDatabases } from "./measure/database.ts";
import { type Measure, measure } from "./measure/load.ts";
import { readFacts, right, printFailures, toMs, toRate } from "./measure/report.ts";
import { repeat } from "./measure/requests.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { setUpShop } from "./measure/site.ts";

const help = `Usage: npm run bench:stats -- [--consents N] [--configurations C] [--seconds S]

Writes the counts of N consents and of three displays for each, spread over every hour of the past
366 days, C configurations and three device classes. Then requests statistics sequentially. Stops
every process and removes every file at the end.

  --consents N         counted answers (default: 10000000)
  --configurations C   configurations (default: 3)
  --seconds S          duration of each measurement (default: 10)
  -h, --help           print this text
`;
const options = {
  consents: { default: 10_000_000, min: 1_000, max: 1_000_000_000 },
  configurations: { default: 3, min: 1, max: 100 },
  seconds: { default: 10, min: 1, max: 600 },
};
const DAY_MS = 86_400_000;
const HOURS = 366 * 24;
const GOAL_MS = 50;
/** The day (UTC) of an hour. */
const DAY = "date_bin('1 day', hour, timestamptz '2000-01-01 00:00Z')";

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:stats", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

type Options = Record<keyof typeof options, number>;

async function main(bench: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = bench.opened.use(await openDatabases(bench.folder));
  const url = await databases.create("bench_stats");
  const avow = bench.opened.use(await openAvow(bench.folder, url));
  const { projectId, token, identifier } = await setUpShop(avow.url);
  process.stderr.write(`  writing counts of ${given.consents.toLocaleString("en")} consents …\n`);
  await fill(url, { projectId, identifier, ...given });
  const now = Date.now();
  const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString();
  const to = new Date(now).toISOString();
  const month = { from: daysAgo(29), to };
  const year = { from: daysAgo(365), to };
  const queries: Record<string, Record<string, string>> = {
    "30 days by day": month,
    "30 days by day, by device": { ...month, group: "device" },
    "30 days by day, by configuration, Paris": {
      ...month,
      group: "configuration",
      tz: "Europe/Paris",
    },
    "31 days by hour, by device": { from: daysAgo(30.9), to, by: "hour", group: "device" },
    "a year by day": year,
    "a year by day, by configuration": { ...year, group: "configuration" },
    "a year by day, Paris": { ...year, tz: "Europe/Paris" },
    "a year by day, by device, New York": { ...year, group: "device", tz: "America/New_York" },
    "a year by day, by device, Kolkata": { ...year, group: "device", tz: "Asia/Kolkata" },
    "a year by day, by device, Kathmandu": { ...year, group: "device", tz: "Asia/Kathmandu" },
    "a year by day, by device, Auckland": { ...year, group: "device", tz: "Pacific/Auckland" },
  };
  const measures: Measure[] = [];
  for (const [title, query] of Object.entries(queries)) {
    const address = avow.url + hrefOf("", paths.stats, { projectId }, query);
    const headers = { authorization: `Bearer ${token}` };
    const next = repeat([{ method: "GET", url: address, headers }], () => "");
    const scenario = { title, url: address, next, status: 200, connections: 1 };
    measures.push(await measure(scenario, given.seconds));
  }
  console.log(`\n${toResultTable(measures)}\n\n  ${facts}\n  ${toNotes(given)}\n`);
  return printFailures(measures) ? 1 : 0;
}

/** SQL for a share of the consents of a configuration in an hour, divisible by its four quarters. */
function toWhole(part: number): string {
  return `(4 * ceil($5::float8 * ${part} / 4))::integer`;
}

/** SQL for the counts of such shares, and their quarters. */
function toSums(parts: readonly number[]): string {
  const quarters = parts.map((part) => `array_fill(${toWhole(part)} / 4, ARRAY[4])`);
  return `${parts.map(toWhole).join()}, ARRAY[${quarters.join()}]`;
}

/** Writes the counts like the counting job, then vacuums and analyzes the tables. */
async function fill(
  url: string,
  {
    projectId,
    identifier,
    consents,
    configurations,
  }: Options & { projectId: string; identifier: string },
): Promise<void> {
  const each = consents / HOURS / configurations;
  const values = [projectId, identifier, HOURS, configurations, each];
  const rows = `FROM generate_series(1, $3::integer) AS s(n)
    CROSS JOIN generate_series(1, $4::integer) AS c(n)
    CROSS JOIN LATERAL (SELECT CASE WHEN c.n = 1 THEN $2 ELSE lpad(to_hex(c.n), 24, '0') END AS identifier,
      date_bin('1 hour', now(), '2000-01-01Z') - s.n * interval '1 hour' AS hour) k`;
  const answers = [0.5, 0.2, 0.3];
  await ask(
    url,
    `INSERT INTO answer_counts SELECT $1, k.hour, k.identifier, ${toSums(answers)} ${rows}`,
    values,
  );
  await ask(
    url,
    `INSERT INTO display_counts SELECT $1, k.hour, k.identifier, 'welcome', d.device, ${toSums([1, ...answers.map((part) => part / 3)])}
    ${rows} CROSS JOIN unnest('{mobile,tablet,desktop}'::text[]) AS d(device)`,
    values,
  );
  await ask(
    url,
    `INSERT INTO answer_days SELECT project_id, ${DAY}, identifier, sum(accepted), sum(partly), sum(refused)
    FROM answer_counts GROUP BY 1, 2, 3`,
  );
  await ask(
    url,
    `INSERT INTO display_days SELECT project_id, ${DAY}, identifier, step, device, sum(shown), sum(accepted), sum(partly),
      sum(refused) FROM display_counts GROUP BY 1, 2, 3, 4, 5`,
  );
  await ask(url, "VACUUM ANALYZE answer_counts, display_counts, answer_days, display_days");
}

function toResultTable(measures: readonly Measure[]): string {
  const lines = measures.map(({ scenario, requestsPerSecond, p50Ms, p99Ms }) => [
    scenario.title,
    toRate(requestsPerSecond),
    toMs(p50Ms),
    `${toMs(p99Ms)}${p99Ms > GOAL_MS ? " !" : ""}`,
  ]);
  const columns = ["Requests/s", "p50 ms", "p99 ms"].map(right);
  return toTable([{ title: "Statistics" }, ...columns], lines);
}

function toNotes({ consents, configurations }: Options): string {
  const rows = HOURS * configurations;
  return `Counts of ${consents.toLocaleString("en")} answers: ${rows.toLocaleString("en")} rows of answers and ${(rows * 3).toLocaleString("en")} of displays. The goal is ${GOAL_MS} ms.`;
}
