// npm run bench:template: duration of reporting and publishing all sites of a template.
import { setTimeout as delay } from "node:timers/promises";
import { collections } from "../../demo/shop.ts";
import { type Client, createClient } from "../../instance/requests.ts";
import { toTable } from "../../instance/table.ts";
import { readNumbers } from "../measure/arguments.ts";
import { openDatabases } from "../measure/database.ts";
import { readProcessorSeconds, secondsSince } from "../measure/processor.ts";
import { readFacts, right } from "../measure/report.ts";
import { type Bench, runBench } from "../measure/run.ts";
import { openAvow } from "../measure/service.ts";
import { readBenchShop } from "../measure/site.ts";

const help = `Usage: npm run bench:template -- [--sites N]

Makes a template of the example shop with N sites, and publishes all of them in one job: for the first
time, after a change of the template that asks visitors again, and without a change. Reports the
duration of each, that of the report before it, and the processor time of the service.
Stops every process and removes every file at the end.

  --sites N      number of sites (default: 100)
  -h, --help     print this text
`;
const options = { sites: { default: 100, min: 1, max: 1_000 } };
/** Each request costs the service processor time, which is a part of the measurement. */
const POLL_MS = 1_000;
const PUBLICATION_MS_MAX = 30 * 60_000;
/** Sites of a page of the report. */
const PAGE = 25;

const parsed = readNumbers({
  args: process.argv.slice(2),
  command: "bench:template",
  help,
  options,
});
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed.sites));

interface Publication {
  createdAt: string;
  endedAt: string | null;
  counts: Record<string, number>;
  links: { self: string };
}

interface Timing {
  seconds: number;
  /** Processor time of the service. */
  processor: number;
}

async function main(bench: Bench, sites: number): Promise<number> {
  const databases = bench.opened.use(await openDatabases(bench.folder));
  const databaseUrl = await databases.create("bench_template");
  const avow = bench.opened.use(await openAvow(bench.folder, databaseUrl));
  const anyone = createClient(avow.url);
  const account = { email: "bench@avow.example", password: "a bench in the park" };
  const { token } = await anyone.send<{ token: string }>("/v1/auth/local/signup", {
    json: account,
  });
  const client = anyone.withToken(token);
  const { templateId, processing } = await newTemplate(client, sites);
  const time = <T>(work: () => Promise<T>) => timed(avow.pid, work);
  const rows: string[][] = [];
  const run = async (title: string): Promise<void> => {
    const report = await time(() => readReports(client, templateId, sites));
    const publication = await time(() => publishSites(client, templateId));
    const { counts, createdAt, endedAt } = publication.result;
    // By the clock of the service: the poll sees the end up to a second later.
    const seconds = (Date.parse(endedAt) - Date.parse(createdAt)) / 1_000;
    rows.push([
      title,
      ...[report, { ...publication, seconds }].flatMap(toCells),
      String(counts["Published"]),
      String(counts["Unchanged"]),
      String(sites - (counts["Published"] ?? 0) - (counts["Unchanged"] ?? 0)),
    ]);
  };
  await run("first");
  const json = { personalDataTypes: ["email", "name", "phone"] };
  await client.send(`/v1/vault/processings/${processing}`, { method: "PATCH", json });
  await run("changed, asked again");
  await run("unchanged");
  const titles = ["Report s", "CPU s", "Publication s", "CPU s", "Published", "Unchanged", "Other"];
  console.log(`\n${toTable([{ title: `${sites} sites` }, ...titles.map(right)], rows)}\n`);
  console.log(`  ${await readFacts()}\n`);
  return rows.every((row) => row.at(-1) === "0") ? 0 : 1;
}

function toCells({ seconds, processor }: Timing): string[] {
  return [seconds.toFixed(1), processor.toFixed(1)];
}

async function newTemplate(client: Client, sites: number) {
  const shop = await readBenchShop();
  const create = async (resource: string, json: object): Promise<string> =>
    (await client.send<{ id: string }>(`/v1/vault/${resource}`, { json })).id;
  const organizationId = await create("organizations", { name: "Agency" });
  const websiteURL = "https://template.example";
  const project = { ...shop.project, title: "Template", websiteURL, organizationId };
  const templateId = await create("projects", { ...project, isTemplate: true });
  const ids: Record<string, string> = {};
  for (const collection of collections)
    for (const body of shop[collection])
      ids[collection] = await create(collection, { ...body, projectId: templateId });
  for (let n = 0; n < sites; n += 1) {
    const own = { title: `Site ${n}`, websiteURL: `https://site-${n}.example` };
    await create("projects", { ...own, organizationId, templateId });
  }
  return { templateId, processing: ids["processings"] ?? "" };
}

async function timed<T>(pid: number, work: () => Promise<T>): Promise<Timing & { result: T }> {
  const before = await readProcessorSeconds([pid]);
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { result, seconds, processor: secondsSince(before, await readProcessorSeconds([pid])) };
}

async function readReports(client: Client, templateId: string, sites: number): Promise<void> {
  for (let page = 1; page <= Math.ceil(sites / PAGE); page += 1)
    await client.send(`/v1/publish/templates/${templateId}/report?page=${page}&perPage=${PAGE}`);
}

async function publishSites(client: Client, templateId: string) {
  const path = `/v1/publish/templates/${templateId}/publications`;
  let publication = await client.send<Publication>(path, { json: {} });
  const deadline = performance.now() + PUBLICATION_MS_MAX;
  while (performance.now() < deadline) {
    const { endedAt } = publication;
    if (endedAt !== null) return { ...publication, endedAt };
    await delay(POLL_MS);
    publication = await client.send<Publication>(publication.links.self);
  }
  throw new Error(`The publication has not ended after ${PUBLICATION_MS_MAX / 60_000} minutes.`);
}
