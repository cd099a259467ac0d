// npm run bench:export: rate and memory of exports of a project's consents.
import { toTable } from "../instance/table.ts";
import { readNumbers } from "./measure/arguments.ts";
import { openDatabases } from "./measure/database.ts";
import { type ExportMeasure, measureExport } from "./export/measure.ts";
import { setUpFilled } from "./export/fill.ts";
import { readFacts, right, spreadOf, toRate } from "./measure/report.ts";
import { type Bench, runBench } from "./measure/run.ts";
import { openAvow } from "./measure/service.ts";
import { readMemory } from "./measure/steady.ts";

const help = `Usage: npm run bench:export -- [--records N] [--rounds R]

Fills one project with N consents of six vendors, exports all of them as CSV, NDJSON and Parquet,
and reports records per second and the service's resident memory. Every file is read completely by
this process, which shares the cores: its records are counted and its SHA-256 is compared with the
manifest's. Stops every process and removes every file at the end.

  --records N   consents (default: 1000000)
  --rounds R    exports of each format (default: 3)
  -h, --help    print this text
`;
const options = {
  records: { default: 1_000_000, min: 1_000, max: 100_000_000 },
  rounds: { default: 3, min: 1, max: 100 },
};
const formats = ["csv", "ndjson", "parquet"] as const;

type Options = Record<keyof typeof options, number>;

const parsed = readNumbers({ args: process.argv.slice(2), command: "bench:export", help, options });
process.exitCode =
  "status" in parsed ? parsed.status : await runBench((bench) => main(bench, parsed));

async function main({ folder, opened }: Bench, given: Options): Promise<number> {
  const facts = await readFacts();
  const databases = opened.use(await openDatabases(folder));
  const databaseUrl = await databases.create("bench_export");
  const site = await setUpFilled(folder, databaseUrl, given.records);
  // A separate process, because password hashing increases the memory of the process that does it.
  const avow = opened.use(await openAvow(folder, databaseUrl));
  const measures: ExportMeasure[] = [];
  const memoryBefore = await readMemory(avow.pid);
  for (let round = 1; round <= given.rounds; round++)
    for (const format of formats) {
      process.stderr.write(`  round ${round} of ${given.rounds}: ${format} …\n`);
      const exported = await measureExport(site, { ...avow, format, databaseUrl });
      if (exported.count !== given.records)
        throw new Error(`${format}: ${exported.count} of ${given.records} records were exported.`);
      measures.push(exported);
    }
  console.log(`\n${toResultTable(measures)}\n\n  ${facts}`);
  console.log(`  Resident memory of Avow before the first export: ${memoryBefore.toFixed(0)} MiB.`);
  console.log(
    `  ${given.records.toLocaleString("en")} records of one project; the reader shares the cores. Counts and SHA-256 match the manifests.\n`,
  );
  return 0;
}

function toResultTable(measures: readonly ExportMeasure[]): string {
  const rows = formats.map((format) => {
    const own = measures.filter((measured) => measured.format === format);
    const { min, median, max } = spreadOf(own.map(({ count, seconds }) => count / seconds));
    const bytes = own[0]?.bytes ?? 0;
    const perSecond = spreadOf(own.map(({ seconds }) => bytes / 2 ** 20 / seconds)).median;
    const memory = spreadOf(own.map(({ memoryMax }) => memoryMax));
    return [
      format,
      ...[min, median, max].map(toRate),
      perSecond.toFixed(0),
      (bytes / 2 ** 20).toFixed(0),
      memory.max.toFixed(0),
      ...(["avowSeconds", "postgresSeconds", "readerSeconds"] as const).map((whose) =>
        spreadOf(own.map((one) => (one[whose] * 1e6) / one.count)).median.toFixed(1),
      ),
    ];
  });
  const titles = [
    "Records/s: min",
    "median",
    "max",
    "MiB/s",
    "MiB",
    "Avow, MiB at most",
    "Node µs each",
    "PostgreSQL µs each",
    "reader µs each",
  ];
  return toTable([{ title: "Format" }, ...titles.map(right)], rows);
}
