// npm run bench:import: rate of imports, and a check that importing a file again adds nothing.
import { createReadStream, createWriteStream } from "node:fs";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { toTable } from "../instance/table.ts";
import type { ImportOut } from "../../server/modules/consents/imports/schema.ts";
import { hrefOf, paths } from "@avow/contract/urls";
import { toCsvLine } from "../../server/platform/text/csv.ts";
import { readNumbers } from "./measure/arguments.ts";
import { ask, openDatabases } from "./measure/database.ts";
import { openFloor, toFloorTable } from "./import/floor.ts";
import { listBackends, readProcessorSeconds, secondsSince } from "./measure/processor.ts";
import { readFacts, right, toRate } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { type Site, setUpShop } from "./measure/site.ts";
import { readMemory } from "./measure/steady.ts";

const DATABASE = "bench_import";
const POLL_MS = 100;
const LOG_WAIT_MS_MAX = 600_000;
const HOUR_MS = 3_600_000;
const help = `Usage: npm run bench:import -- [--records N] [--visitors P]

Imports N consents of a published shop, each with six vendors, on PostgreSQL with production
durability: as CSV, then the same file again, then as NDJSON of other visitors. Reports the rate of
each job, the delay until the log has all records, the maximum memory of the service, and the
processor time of each record until it is in the log, which other load on the machine affects less.
Fails if the second import adds records. After each import of new records, writes the same rows with
COPY only into a database of its own, which is the upper limit for an import on one connection. Stops
every process and removes every file at the end.

  --records N    records (default: 500,000)
  --visitors P   percentage of records of new visitors; the others answer again (default: 100)
  -h, --help     print this text
`;
const options = {
  records: { default: 500_000, min: 1, max: 100_000_000 },
  visitors: { default: 100, min: 1, max: 100 },
};
const formats = {
  csv: { type: "text/csv", head: "token;collection;identifier;accept;date;value;preferences\r\n" },
  ndjson: { type: "application/x-ndjson", head: "" },
} as const;
type FormatName = keyof typeof formats;

type Options = Record<keyof typeof options, number>;

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:import", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

interface Result {
  title: string;
  job: ImportOut;
  seconds: number;
  /** Delay from the end of the job until the log had all of its records. */
  logSeconds: number;
  memoryMax: number;
  /** Processor time in seconds, which other load on the machine does not affect. */
  avowSeconds: number;
  postgresSeconds: number;
}

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create(DATABASE);
  const site = await setUpSite(folder, databaseUrl);
  const floor = opened.use(await openFloor(databases, DATABASE));
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const run = async (title: string, format: FormatName, file: string): Promise<Result> => {
    process.stderr.write(`  importing ${title} …\n`);
    return { title, ...(await importFile({ ...avow, databaseUrl, site, format, file })) };
  };
  const csv = join(folder, "consents.csv");
  await writeFile(csv, { format: "csv", site, given, seed: "c" });
  const ndjson = join(folder, "consents.ndjson");
  await writeFile(ndjson, { format: "ndjson", site, given, seed: "n" });
  const copies: Parameters<typeof toFloorTable>[0][number][] = [];
  const copyAgain = async (result: Result): Promise<Result> => {
    process.stderr.write(`  writing the rows of ${result.title} with COPY alone …\n`);
    const rate = result.job.read / result.seconds;
    copies.push({ title: result.title, rate, floor: await floor.measure(result.job) });
    return result;
  };
  const results = [
    await copyAgain(await run("CSV", "csv", csv)),
    await run("the same CSV again", "csv", csv),
    await copyAgain(await run("NDJSON", "ndjson", ndjson)),
  ];
  console.log(`\n${toResultTable(results)}\n\n  ${facts}`);
  console.log(`\n${toFloorTable(copies)}\n`);
  const [{ count } = { count: -1 }] = await ask<{ count: number }>(
    databaseUrl,
    "SELECT count(*)::int AS count FROM consents WHERE project_id = $1",
    [site.projectId],
  );
  const again = results[1]?.job.imported ?? -1;
  const isRight = count === 2 * given.records && again === 0;
  console.log(
    `  ${count.toLocaleString("en")} records are stored; the second import added ${again.toLocaleString("en")}.${isRight ? "" : " FAILED: it must add none."}\n`,
  );
  return isRight ? 0 : 1;
}

/** Publishes the shop, and stops the service again. */
async function setUpSite(folder: string, databaseUrl: string): Promise<Site> {
  await using avow = await openAvow(folder, databaseUrl);
  return await setUpShop(avow.url);
}

/** Writes a file with one line for each record; a thousand records are spread over an hour. */
async function writeFile(
  path: string,
  of: { format: FormatName; site: Site; given: Options; seed: string },
): Promise<void> {
  const { format, site, given, seed } = of;
  const file = createWriteStream(path);
  file.write(formats[format].head);
  const begin = Date.now() - 60 * 24 * HOUR_MS;
  const stepMs = Math.min(HOUR_MS / 1_000, (50 * 24 * HOUR_MS) / given.records);
  const visitors = Math.max(1, Math.floor((given.records * given.visitors) / 100));
  let text = "";
  for (let at = 0; at < given.records; at += 1) {
    const consent = site.consents[at % site.consents.length];
    const token = `${seed}${((at % visitors) * 2_654_435_761).toString(36)}`;
    const date = new Date(begin + at * stepMs).toISOString();
    text += toLine(format, {
      ...site,
      token,
      date,
      accept: consent?.accept ?? true,
      preferences: consent?.preferences ?? {},
    });
    if (text.length < 256 * 1024) continue;
    if (!file.write(text)) await once(file, "drain");
    text = "";
  }
  file.end(text);
  await once(file, "close");
}

function toLine(
  format: FormatName,
  line: Pick<Site, "identifier"> & {
    token: string;
    date: string;
    accept: boolean;
    preferences: object;
  },
): string {
  const { token, identifier, accept, date, preferences } = line;
  if (format === "ndjson")
    return `${JSON.stringify({ token, collection: "cookies", identifier, accept, date, preferences })}\n`;
  const cells = [token, "cookies", identifier, accept ? "1" : "0", date, ""];
  return toCsvLine([...cells, JSON.stringify(preferences)]);
}

/** Sends a file, and polls the job until it has finished. */
async function importFile(given: {
  url: string;
  databaseUrl: string;
  pid: number;
  site: Site;
  format: FormatName;
  file: string;
}): Promise<Omit<Result, "title">> {
  const { url, databaseUrl, pid, site, format, file } = given;
  const headers = { authorization: `Bearer ${site.token}` };
  const { size } = await stat(file);
  const sent = await fetch(hrefOf(url, paths.imports, { projectId: site.projectId }), {
    method: "POST",
    headers: { ...headers, "content-type": formats[format].type, "content-length": String(size) },
    body: ReadableStream.from(createReadStream(file)),
    duplex: "half",
  });
  if (sent.status !== 202) throw new Error(`${sent.status}: ${await sent.text()}`);
  let job = (await sent.json()) as ImportOut;
  const readTimes = async () => ({
    avow: await readProcessorSeconds([pid]),
    postgres: await readProcessorSeconds(await listBackends(databaseUrl)),
  });
  const before = await readTimes();
  let memoryMax = 0;
  while (job.status !== "Done" && job.status !== "Error") {
    memoryMax = Math.max(memoryMax, await readMemory(pid));
    await sleep(POLL_MS);
    job = (await (await fetch(job.links.self, { headers })).json()) as ImportOut;
  }
  if (job.status === "Error" || job.refused > 0)
    throw new Error(`${job.refused} lines were rejected. ${job.message ?? ""}`);
  const [from = "", to = ""] = [job.startedAt, job.endedAt];
  const logSeconds = await waitForLog(databaseUrl);
  const after = await readTimes();
  return {
    job,
    seconds: (Date.parse(to) - Date.parse(from)) / 1_000,
    logSeconds,
    memoryMax,
    avowSeconds: secondsSince(before.avow, after.avow),
    postgresSeconds: secondsSince(before.postgres, after.postgres),
  };
}

async function waitForLog(databaseUrl: string): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const statement = "SELECT EXISTS (SELECT FROM consent_queue) AS waits";
    const [{ waits } = { waits: false }] = await ask<{ waits: boolean }>(databaseUrl, statement);
    const ms = performance.now() - begun;
    if (!waits) return ms / 1_000;
    if (ms > LOG_WAIT_MS_MAX)
      throw new Error("The log did not sequence the imported records in time.");
    await sleep(POLL_MS);
  }
}

function toResultTable(results: readonly Result[]): string {
  const rows = results.map(({ title, job, seconds, memoryMax, ...used }) => [
    title,
    job.read.toLocaleString("en"),
    job.imported.toLocaleString("en"),
    job.known.toLocaleString("en"),
    seconds.toFixed(1),
    toRate(job.read / seconds),
    used.logSeconds.toFixed(1),
    memoryMax.toFixed(0),
    ...[used.avowSeconds, used.postgresSeconds].map((taken) =>
      ((taken / job.read) * 1_000_000).toFixed(1),
    ),
  ]);
  const titles = [
    "Read",
    "Imported",
    "Known",
    "Seconds",
    "Records/s",
    "Log, s later",
    "MiB at most",
  ];
  const perRecord = ["Avow, µs each", "PostgreSQL, µs each"];
  return toTable([{ title: "Import" }, ...[...titles, ...perRecord].map(right)], rows);
}
