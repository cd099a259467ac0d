// npm run bench:publish: duration of publish jobs on a folder and on S3, and the effect of a thousand on collection.
import { setTimeout as delay } from "node:timers/promises";
import { toTable } from "../instance/table.ts";
import type { Client } from "../instance/requests.ts";
import type { PublishJobOut } from "../../server/modules/publish/publications/schema.ts";
import { openS3StandIn } from "../../../test/stand-ins/s3.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openDatabases } from "./measure/database.ts";
import { type Measure, type Scenario, measure } from "./measure/load.ts";
import { openProjects, publishAll, waitForAll } from "./publish/projects.ts";
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

const help = `Usage: npm run bench:publish -- [--jobs N] [--projects P] [--seconds S]

Publishes the example shop N times in sequence, changed each time, on a service that stores its files
in a folder and on one that stores them in a local S3 emulator: reports the duration of the jobs, from
the request to the end, and of each step. Then publishes P projects concurrently while consents are
collected: reports the total duration, and the rate of collection compared with that before.
Stops every process and removes every file at the end.

  --jobs N       sequential jobs on each storage (default: 50)
  --projects P   projects published concurrently (default: 1000)
  --seconds S    duration of measuring collection alone (default: 10)
  -h, --help     print this text
`;
const options = {
  jobs: { default: 50, min: 1, max: 10_000 },
  projects: { default: 1_000, min: 1, max: 10_000 },
  seconds: { default: 10, min: 1, max: 600 },
};
const CONNECTIONS = 16;
const signer = { accessKeyId: "bench", secretAccessKey: "bench-secret" };
const BUCKET = "bench";

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:publish",
  help,
  options,
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

type Options = Record<keyof typeof options, number>;

async function main(bench: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = bench.opened.use(await openDatabases(bench.folder));
  const s3 = bench.opened.use(await openS3StandIn({ ...signer, bucket: BUCKET }));
  const storages: Record<string, Record<string, string>> = {
    folder: {},
    S3: {
      OBJECTS: "s3",
      S3_BUCKET: BUCKET,
      S3_ENDPOINT: s3.url,
      S3_PATH_STYLE: "on",
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: signer.accessKeyId,
      AWS_SECRET_ACCESS_KEY: signer.secretAccessKey,
    },
  };
  const results: { title: string; jobs: PublishJobOut[] }[] = [];
  for (const [title, env] of Object.entries(storages)) {
    const databaseUrl = await databases.create(`bench_publish_${title.toLowerCase()}`);
    const folder = `${bench.folder}/${title}`;
    await using avow = await openAvow(folder, databaseUrl, env);
    const site = await setUpShop(avow.url);
    process.stderr.write(`  ${given.jobs} jobs, ${title} …\n`);
    results.push({ title, jobs: await publishInTurn(site, given.jobs) });
  }
  console.log(`\n${toJobTable(results)}\n`);
  const databaseUrl = await databases.create("bench_publish_many");
  const avow = bench.opened.use(await openAvow(`${bench.folder}/many`, databaseUrl));
  const many = await publishMany(avow.url, given);
  console.log(`${toManyTable(many, given)}\n\n  ${facts}\n`);
  return printFailures([many.alone, ...many.beside]) ? 1 : 0;
}

async function publishInTurn({ client, token, projectId }: Site, count: number) {
  const own = client.withToken(token);
  const jobs: PublishJobOut[] = [];
  for (let n = 0; n < count; n += 1) {
    const json = { title: `Shop ${n}` };
    await own.send(`/v1/vault/projects/${projectId}`, { method: "PATCH", json });
    const path = `/v1/publish/jobs/${projectId}`;
    let job = await own.send<PublishJobOut>(path, { method: "POST" });
    while (job.status !== "Done") {
      if (job.status === "Error") throw new Error(job.message);
      await delay(5);
      job = await own.send<PublishJobOut>(job.links.self);
    }
    jobs.push(job);
  }
  return jobs;
}

function toJobTable(results: readonly { title: string; jobs: readonly PublishJobOut[] }[]): string {
  const [first] = results;
  const steps = ["bundle", "upload", "invalidate"];
  const rows = results.map(({ title, jobs }) => {
    const { min, median, max } = spreadOf(jobs.map(tookMs));
    const own = steps.map((name) => spreadOf(jobs.map((job) => stepMs(job, name))).median);
    const ratio = median / spreadOf((first?.jobs ?? []).map(tookMs)).median;
    return [title, ...[min, median, max, ...own].map(toMs), toRatio(ratio)];
  });
  const titles = ["Job ms: min", "median", "max", ...steps, "Ratio to folder"];
  return toTable([{ title: "Storage" }, ...titles.map(right)], rows);
}

function tookMs({ createdAt, endedAt = "" }: PublishJobOut): number {
  return Date.parse(endedAt) - Date.parse(createdAt);
}

function stepMs({ steps }: PublishJobOut, name: string): number {
  const step = steps.find((one) => one.name === name);
  return Date.parse(step?.endedAt ?? "") - Date.parse(step?.startedAt ?? "");
}

interface Many {
  alone: Measure;
  /** Consecutive rates while all projects are published. */
  beside: Measure[];
  seconds: number;
}

async function publishMany(url: string, given: Options): Promise<Many> {
  const site = await setUpShop(url);
  const client: Client = site.client.withToken(site.token);
  process.stderr.write(`  creating ${given.projects} projects …\n`);
  const projects = await openProjects(client, given.projects);
  const scenario = toScenario(url, site);
  process.stderr.write(`  collecting for ${given.seconds} s …\n`);
  const alone = await measure(scenario, given.seconds);
  process.stderr.write(`  publishing ${given.projects} projects concurrently …\n`);
  const startedAt = performance.now();
  const ended = { seconds: 0 };
  const publishing = publishAll(client, projects)
    .then(() => waitForAll(client, projects))
    .finally(() => (ended.seconds = (performance.now() - startedAt) / 1_000));
  const beside: Measure[] = [];
  while (ended.seconds === 0) beside.push(await measure(scenario, given.seconds, 0));
  await publishing;
  return { alone, beside, seconds: ended.seconds };
}

function toScenario(url: string, site: Site): Scenario {
  const to = `${url}/v1/app/consents/${site.projectId}/cookies/${site.identifier}`;
  const headers = { "idempotency-key": NAME };
  const requests = site.consents.map(
    (json) => ({ method: "POST", url: to, headers, json }) as const,
  );
  const next = repeat(requests, countNames(newRun()));
  return { title: "Collection", url: to, next, status: 201, connections: CONNECTIONS };
}

function toManyTable({ alone, beside, seconds }: Many, { projects }: Options): string {
  const rates = spreadOf(beside.map(({ requestsPerSecond }) => requestsPerSecond));
  const p50 = spreadOf(beside.map(({ p50Ms }) => p50Ms)).median;
  const p99 = spreadOf(beside.map(({ p99Ms }) => p99Ms)).median;
  const toRow = (
    title: string,
    figures: readonly [rate: number, least: number],
    more: string[],
  ) => [title, ...figures.map(toRate), toRatio(figures[0] / alone.requestsPerSecond), ...more];
  const own = alone.requestsPerSecond;
  const rows = [
    toRow("alone", [own, own], [toMs(alone.p50Ms), toMs(alone.p99Ms), ""]),
    toRow(
      `while ${projects} projects are published`,
      [rates.median, rates.min],
      [toMs(p50), toMs(p99), seconds.toFixed(1)],
    ),
  ];
  const titles = ["Requests/s", "least", "Ratio to alone", "p50 ms", "p99 ms", "All Done, s"];
  return toTable([{ title: "Collection" }, ...titles.map(right)], rows);
}
